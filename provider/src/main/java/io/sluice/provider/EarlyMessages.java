package io.sluice.provider;

import io.sluice.provider.work.WorkItem;
import java.util.Optional;
import java.util.function.Function;

/**
 * Messages to instances that wait for their first turn, such as until the time of a start that is put off: a message
 * takes effect only with that turn, so what it will do is shown together with it. Thread-safe.
 */
public interface EarlyMessages {
    /**
     * Queues a message and changes what is kept along with its instance, both or neither, on condition of the very
     * version of the instance that was judged.
     *
     * <p>Cost: a point read and one request of three operations; both again when the instance has changed between them.
     *
     * @param change judges the instance, without its texts, and gives what is kept along from now on, until an ack says
     *     otherwise; empty to leave everything as it is. Called again for every new version of the instance
     * @return whether the message was queued; not when there is no such instance, when it has had its first turn or is
     *     in it, or when {@code change} gave nothing
     * @throws ProviderException retryable when the store gave no answer in time: the message may have been queued, or
     *     may yet; permanent, with nothing done, when it is over the service's limits
     */
    boolean send(WorkItem message, Function<InstanceSummary, Optional<InstanceExt>> change);
}
