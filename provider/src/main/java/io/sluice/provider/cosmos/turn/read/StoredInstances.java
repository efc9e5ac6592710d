package io.sluice.provider.cosmos.turn.read;

import io.sluice.provider.cosmos.deletion.DeletionState;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.cosmos.staged.WholeReads;
import io.sluice.provider.request.ContainerRequests;
import java.time.InstantSource;

/** The instances of a container: their partitions, their histories, and what further requests need. Thread-safe. */
public final class StoredInstances {
    private final ContainerRequests requests;
    private final InstantSource clock;
    private final PartitionReader partitions;
    private final Histories histories;
    private final InstanceReads reads;

    /**
     * Of this container; no request is made.
     *
     * @param queue reads their messages
     * @param clock that locks and visibility go by
     */
    public StoredInstances(ContainerRequests requests, QueueRows queue, Deletions deletions, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
        WholeReads whole = new WholeReads(
                requests,
                new TurnFinisher(requests, clock),
                (call, instanceId, lockToken) -> deletions.help(call, instanceId, lockToken) == DeletionState.REMOVED);
        partitions = new PartitionReader(requests, queue, whole);
        histories = new Histories(requests, whole);
        reads = new InstanceReads(partitions, histories, deletions);
    }

    /** Requests to their container. */
    public ContainerRequests requests() {
        return requests;
    }

    /** The clock that locks and visibility go by. */
    public InstantSource clock() {
        return clock;
    }

    /** Their partitions, but for histories. */
    public PartitionReader partitions() {
        return partitions;
    }

    /** Their histories. */
    public Histories histories() {
        return histories;
    }

    /** Reads that lock nothing. */
    public InstanceReads reads() {
        return reads;
    }
}
