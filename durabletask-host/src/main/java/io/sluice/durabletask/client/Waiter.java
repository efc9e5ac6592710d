package io.sluice.durabletask.client;

import io.grpc.Status;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.provider.InstanceSummary;
import java.util.Optional;

/** Somebody who waits for an instance to come into a state. */
interface Waiter {
    /** Whether it waits for this state. */
    boolean waitsFor(OrchestrationStatus status);

    /**
     * Ends the waiting.
     *
     * @param instance nothing when there is none
     */
    void answer(Optional<InstanceSummary> instance);

    /** Ends the waiting without success. */
    void fail(Status status);
}
