package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.read.PartitionState;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Instances that have messages and no start: what may be dropped of these messages is dropped, the rest waits for the
 * start. Thread-safe.
 */
final class UnstartedInstances {
    private final Histories histories;
    private final OrphanMessages orphans;
    private final TurnQueue queue;

    UnstartedInstances(Histories histories, OrphanMessages orphans, TurnQueue queue) {
        this.histories = histories;
        this.orphans = orphans;
        this.queue = queue;
    }

    /**
     * Finds out whether the instance has begun, or begins with these messages; handles the messages when not. Reads the
     * history only where its head leaves doubt.
     *
     * @return nothing when it has begun
     */
    Optional<InstanceReading> handle(Call call, String instanceId, PartitionState state) {
        List<WorkItem> items = Messages.decode(state.messageDocuments());
        Stored<InstanceDocument> head = state.instance();
        // A head that the first fetch of a dead process left behind has begun nothing.
        boolean unproven = head == null || !head.document().isSurelyAcked();
        if (!unproven || Messages.start(items) != null || findHistory(call, instanceId, head)) {
            return Optional.empty();
        }
        return Optional.of(
                orphans.tryDrop(call, instanceId, state, items)
                        ? new InstanceReading.Empty("")
                        : new InstanceReading.Waiting(queue.setAside(instanceId)));
    }

    private boolean findHistory(Call call, String instanceId, @Nullable Stored<InstanceDocument> head) {
        long execution = head == null ? 1 : head.document().currentExecutionId();
        Histories.Decoded history = histories.read(call, instanceId, execution);
        return history.error() != null || !history.events().isEmpty();
    }
}
