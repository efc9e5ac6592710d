package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.OrchestrationFilter;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItemJson;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatcher can run, asked of what a turn needs.
 *
 * @param capabilities null for everything
 */
public record TurnFilter(@Nullable DispatcherCapabilityFilter capabilities) implements WorkFilter {
    /** The orchestration of a turn whose start can't be read; no filter names it. */
    private static final String UNREADABLE = "";

    @Override
    public boolean accepts(WorkNeeds needs) {
        return capabilities == null
                || (runsPinned(needs.pinnedVersion()) && runs(capabilities.orchestrations(), needs));
    }

    private boolean runsPinned(@Nullable Long packed) {
        return capabilities == null || capabilities.accepts(packed == null ? null : SemanticVersion.fromPacked(packed));
    }

    /** A version that is not known is for the try to lock it to find out. */
    private static boolean runs(OrchestrationFilter wanted, WorkNeeds needs) {
        String name = needs.orchestration();
        if (name == null || wanted instanceof OrchestrationFilter.Any) {
            return true;
        }
        String version = needs.version();
        if (version == null && wanted instanceof OrchestrationFilter.Named named) {
            return named.versions().containsKey(name);
        }
        return wanted.accepts(name, Objects.requireNonNullElse(version, ""));
    }

    /**
     * Whether the dispatcher takes this turn. Where that begins with a start of which the content is not known, the
     * partition has to be read first: it then does not.
     */
    public boolean accepts(@Nullable InstanceDocument head, List<QueueDocument> messages) {
        if (capabilities == null || capabilities.orchestrations() instanceof OrchestrationFilter.Any) {
            return runsPinned(head == null ? null : head.pinnedVersionPacked());
        }
        return accepts(needs(head, messages));
    }

    /**
     * What the next turn of an instance needs.
     *
     * @param head null when it is not stored yet
     */
    public static WorkNeeds needs(@Nullable InstanceDocument head, List<QueueDocument> messages) {
        @Nullable Long pinned = head == null ? null : head.pinnedVersionPacked();
        if (beginsAnother(head, messages)) {
            Messages.Start start = firstStart(messages);
            return start == null
                    ? WorkNeeds.ofTurn(UNREADABLE, "", pinned)
                    : WorkNeeds.ofTurn(start.name(), Objects.requireNonNullElse(start.version(), ""), pinned);
        }
        return head == null || head.orchestrationName().isEmpty()
                ? WorkNeeds.ofTurn(null, null, pinned)
                : WorkNeeds.ofTurn(head.orchestrationName(), head.orchestrationVersion(), pinned);
    }

    /**
     * Whether the next turn runs what a message begins, rather than what the document of the instance says: one that is
     * not stored or has no name begins with it, and one that has ended goes on with it.
     */
    private static boolean beginsAnother(@Nullable InstanceDocument head, List<QueueDocument> messages) {
        boolean runs = head != null
                && !head.orchestrationName().isEmpty()
                && head.status().equals(InstanceDocument.RUNNING);
        return !runs && messages.stream().anyMatch(Messages::isStart);
    }

    /** The first start among messages; null when there is none, or its message is cut. */
    private static Messages.@Nullable Start firstStart(List<QueueDocument> messages) {
        for (QueueDocument message : messages) {
            if (Messages.isStart(message)) {
                try {
                    return Messages.start(List.of(WorkItemJson.decode(message.workItem())));
                } catch (DecodingException e) {
                    return null;
                }
            }
        }
        return null;
    }
}
