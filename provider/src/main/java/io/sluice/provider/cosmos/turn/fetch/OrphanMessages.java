package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.cosmos.turn.read.PartitionReader;
import io.sluice.provider.cosmos.turn.read.PartitionState;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.WriteOutcome;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops queue messages to instances that never started, as the contract wants it, and events where the caller wants
 * it. A start that is put off, or that somebody has tagged, is a start all the same: the messages then wait for it.
 */
final class OrphanMessages {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanMessages.class);

    private final ContainerRequests requests;
    private final PartitionReader partitions;
    private final boolean droppingEvents;

    OrphanMessages(StoredInstances stored, boolean droppingEvents) {
        this.requests = stored.requests();
        this.partitions = stored.partitions();
        this.droppingEvents = droppingEvents;
    }

    /**
     * Deletes the messages, in the versions that were read, if they are orphans: one query of the partition for a start
     * that can't be seen yet, and one batch per read.
     *
     * @param state the visible messages of an instance that has no history; there is no start among them
     * @param items what could be decoded of them
     * @return false when they have to wait for a start
     */
    boolean tryDrop(Call call, String instanceId, PartitionState state, List<WorkItem> items) {
        boolean candidates =
                items.size() == state.messages().size() && items.stream().allMatch(this::mayBeOrphan);
        if (!candidates || partitions.findStart(call, instanceId)) {
            return false;
        }
        List<BatchWrite> deletes = state.messages().stream()
                .limit(BatchWrite.MAX_OPERATIONS)
                .<BatchWrite>map(
                        message -> new BatchWrite.Delete(message.document().id(), message.etag()))
                .toList();
        WriteOutcome outcome = requests.batchPatiently(call, instanceId, deletes);
        LOG.atInfo()
                .addKeyValue("instance", instanceId)
                .addKeyValue("messages", deletes.size())
                .addKeyValue("dropped", outcome.isCommitted())
                .log(
                        outcome.isCommitted()
                                ? "dropped the messages to an instance that never started"
                                : "could not drop the messages to an instance that never started; the next fetch tries again");
        return true;
    }

    private boolean mayBeOrphan(WorkItem item) {
        return item instanceof WorkItem.QueueMessage || (item instanceof WorkItem.ExternalRaised && droppingEvents);
    }
}
