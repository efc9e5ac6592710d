package io.sluice.relay.history;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.function.Executable;

/**
 * Producers of which the first commits fail, before they were sent or after they were done, or that fence their
 * predecessor off only when it has done something more.
 */
final class FaultyProducers implements RangeTakeover.Producers {
    private final Supplier<Producer<byte[], byte[]>> real;
    private final AtomicInteger before = new AtomicInteger();
    private final AtomicInteger after = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final Queue<Executable> beforeFence = new ConcurrentLinkedQueue<>();

    FaultyProducers(Supplier<Producer<byte[], byte[]>> real) {
        this.real = real;
    }

    FaultyProducers failBeforeCommits(int times) {
        before.set(times);
        return this;
    }

    FaultyProducers failAfterCommits(int times) {
        after.set(times);
        return this;
    }

    /** What happens when the first producer is about to fence its predecessor off. */
    FaultyProducers beforeFence(Executable deed) {
        beforeFence.add(deed);
        return this;
    }

    int failures() {
        return failures.get();
    }

    @Override
    @SuppressWarnings("unchecked") // the proxy implements what it stands for
    public Producer<byte[], byte[]> open(RangeId range) {
        var producer = real.get();
        return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                Producer.class.getClassLoader(), new Class<?>[] {Producer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("initTransactions")) {
                        runBeforeFence();
                    }
                    boolean commits = method.getName().equals("commitTransaction");
                    if (commits && before.getAndDecrement() > 0) {
                        throw failure("the process died before the commit");
                    }
                    try {
                        var answer = method.invoke(producer, arguments);
                        if (commits && after.getAndDecrement() > 0) {
                            throw failure("the answer to the commit was lost");
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void runBeforeFence() throws Throwable {
        var deed = beforeFence.poll();
        if (deed != null) {
            deed.execute();
        }
    }

    private TimeoutException failure(String what) {
        failures.incrementAndGet();
        return new TimeoutException(what);
    }
}
