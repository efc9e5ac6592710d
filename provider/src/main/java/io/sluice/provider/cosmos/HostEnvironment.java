package io.sluice.provider.cosmos;

import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.request.RequestObserver;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a provider takes from the machine it runs on. A simulation gives it its own, so that a run can be repeated.
 *
 * @param nanoTime the monotonic clock
 * @param random for the tails of ids
 * @param pairsAtOnce to how many instances one operation writes at one time; with one it starts no threads
 * @param observer sees every request, in addition to the standard observers
 */
record HostEnvironment(LongSupplier nanoTime, RandomGenerator random, int pairsAtOnce, RequestObserver observer) {
    private static final int PAIRS_AT_ONCE = 8;
    private static final int IDLE_SECONDS = 10;

    /** The clocks and threads of this machine. */
    static HostEnvironment real() {
        return new HostEnvironment(System::nanoTime, new SecureRandom(), PAIRS_AT_ONCE, RequestObserver.NONE);
    }

    /** The same by another monotonic clock. */
    HostEnvironment withNanoTime(LongSupplier other) {
        return new HostEnvironment(other, random, pairsAtOnce, observer);
    }

    /** How many members of a deletion are worked on at a time; one where no threads are started. */
    int membersAtOnce() {
        return pairsAtOnce == 1 ? 1 : Deletions.MEMBERS_AT_ONCE;
    }

    /**
     * Runs what nobody waits for, one task after the other on a thread of its own that ends when it is idle; at once
     * where no threads are started.
     */
    Executor background() {
        if (pairsAtOnce == 1) {
            return Runnable::run;
        }
        var executor = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), HostEnvironment::thread);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "sluice-background");
        thread.setDaemon(true);
        return thread;
    }
}
