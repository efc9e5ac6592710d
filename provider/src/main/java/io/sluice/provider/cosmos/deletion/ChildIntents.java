package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.util.Set;

/**
 * Says which undelivered intents a deletion removes: intents to members, and intents that would start a child of a
 * member.
 */
final class ChildIntents {
    private ChildIntents() {}

    /** Whether the intent goes to a member, or would start a child of one. */
    static boolean concerns(Set<String> members, String target, String payload) {
        return members.contains(target) || startsChildOf(members, payload);
    }

    /**
     * Whether a stored intent may be removed with its source: not while it is to be delivered to an instance that
     * stays.
     */
    static boolean mayGo(Set<String> members, JsonNode intent) {
        return !IntentStatus.isUndelivered(intent)
                || concerns(
                        members,
                        intent.path("targetInstanceId").asText(),
                        intent.path("payload").asText());
    }

    /** Whether the work item's text starts a child of a member. */
    static boolean isStartOfChild(Set<String> members, String workItem) {
        try {
            return WorkItemJson.decode(workItem) instanceof WorkItem.StartOrchestration start
                    && start.parentInstance() != null
                    && members.contains(start.parentInstance());
        } catch (DecodingException e) {
            return false;
        }
    }

    private static boolean startsChildOf(Set<String> members, String payload) {
        try {
            return isStartOfChild(
                    members, DocumentJson.parse(payload).path("workItem").asText());
        } catch (MalformedDocumentException e) {
            // No process can ever deliver it.
            return true;
        }
    }
}
