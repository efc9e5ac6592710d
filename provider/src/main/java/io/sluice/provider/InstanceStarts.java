package io.sluice.provider;

import java.time.Instant;
import java.util.Objects;

/**
 * Starts of instances that are unique: of any number of starts of one id, in any number of processes, one takes effect.
 * {@link Provider#enqueueForOrchestrator}, in contrast, queues every start it is given. Thread-safe.
 */
public interface InstanceStarts {
    /** What became of a start. */
    sealed interface Outcome {}

    /**
     * The instance exists because of this start, from now on or since an earlier try of it.
     *
     * @param createdAt to the millisecond: when the call began, by the service's time as this process estimates it. The
     *     instance was written later, after repetitions much later
     */
    record Started(Instant createdAt) implements Outcome {
        public Started {
            Objects.requireNonNull(createdAt, "createdAt");
        }
    }

    /**
     * Nothing was done: the instance existed before.
     *
     * @param instance as it was when that was found out
     */
    record AlreadyExists(InstanceSummary instance) implements Outcome {
        public AlreadyExists {
            Objects.requireNonNull(instance, "instance");
        }
    }

    /**
     * Creates an instance and queues its first message, both or neither. The instance is shown by
     * {@link InstanceQueries} from then on, as running; for {@link ProviderAdmin} it exists from its first ack on, as
     * any other. Its first turn is found by this process's own waiting dispatchers at once, and by others as any
     * message.
     *
     * <p>An instance exists once a start was taken here, or once a fetch locked it for its first turn. A start that was
     * sent otherwise, by {@link Provider#enqueueForOrchestrator} or as a sub-orchestration, and waits for its first
     * fetch is not seen: the instance then has two starts, and its first turn has both. A finished instance exists
     * until it is deleted. As for any instance that was not acked yet, {@link ProviderAdmin#deleteInstancesAtomic}
     * removes one that waits for its first turn without asking for force.
     *
     * <p>Cost: one request of three operations when it starts; one point read more when the instance exists. After a
     * request whose answer was lost it is sent again under the same name, and the outcome is that of the try that took
     * effect, even if the instance has gone on, ended or been deleted meanwhile.
     *
     * @throws ProviderException retryable when the store gave no answer in time: the start may have taken effect, or
     *     may yet; repeat the same wish. Permanent, with nothing done, when the instance id is over the service's
     *     limits, when the start is so large that its first turn could not be stored, or when the {@code requestId} was
     *     used for another start of this instance
     */
    Outcome startInstance(InstanceStart start);
}
