package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.IntentDocument;
import io.sluice.provider.cosmos.document.MalformedDocumentException;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.util.Set;

/** Which undelivered intents a deletion takes along: those to members, and those that would start a child of one. */
final class ChildIntents {
    private ChildIntents() {}

    /** Whether what the intent would create in its target is a matter of these members alone. */
    static boolean concerns(Set<String> members, String target, String payload) {
        return members.contains(target) || startsChildOf(members, payload);
    }

    /** Whether a stored intent may go with its source: others are still to be delivered to instances that stay. */
    static boolean mayGo(Set<String> members, JsonNode intent) {
        String status = intent.path("status").asText();
        boolean undelivered = status.equals(IntentDocument.PENDING) || status.equals(IntentDocument.QUEUED);
        return !undelivered
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
            // Nobody can ever deliver it.
            return true;
        }
    }
}
