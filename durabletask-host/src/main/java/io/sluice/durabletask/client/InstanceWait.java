package io.sluice.durabletask.client;

import io.grpc.Status;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.ProviderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All who wait for one instance. Thread-safe; once nobody waits any more it takes nobody in. */
final class InstanceWait {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceWait.class);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long FIRST_PAUSE_AFTER_FAILURE_MILLIS = 1_000;
    private static final long LONG_PAUSE_MILLIS = 60_000;

    private final String instance;
    private final States states;
    private final Readers readers;
    private final Timer timer;
    private final Consumer<InstanceWait> onOver;
    private final List<Waiter> waiters = new ArrayList<>();
    private boolean isReading;
    private boolean readsAgain;
    private boolean isOver;
    /** Whether the last read failed for the instance. */
    private boolean hasFailed;

    private long pauseMillis = FIRST_PAUSE_MILLIS;

    /** Lets a wait read its instance again after a pause, which may be shortened. */
    @FunctionalInterface
    interface Timer {
        void readAfter(InstanceWait wait, long millis, boolean hasFailed);
    }

    /** The threads that read an instance: one that could be read last time, or one that could not. */
    @FunctionalInterface
    interface Readers {
        Executor of(boolean hasFailed);
    }

    InstanceWait(String instance, States states, Readers readers, Timer timer, Consumer<InstanceWait> onOver) {
        this.instance = instance;
        this.states = states;
        this.readers = readers;
        this.timer = timer;
        this.onOver = onOver;
    }

    String instance() {
        return instance;
    }

    /** Takes in a waiter; false when this wait is over, and another one is needed. */
    synchronized boolean add(Waiter waiter) {
        if (isOver) {
            return false;
        }
        waiters.add(waiter);
        if (!hasFailed) {
            pauseMillis = FIRST_PAUSE_MILLIS;
        }
        read();
        return true;
    }

    synchronized void remove(Waiter waiter) {
        waiters.remove(waiter);
        endIfUnused();
    }

    private void endIfUnused() {
        if (waiters.isEmpty() && !isOver) {
            isOver = true;
            onOver.accept(this);
        }
    }

    /** The instance has come into this state, which costs a request only when somebody waits for it. */
    synchronized void changed(OrchestrationStatus status) {
        if (waiters.stream().anyMatch(waiter -> waiter.waitsFor(status))) {
            read();
        }
    }

    /** Reads the instance, now or, if that is under way, once more. */
    synchronized void read() {
        if (isReading) {
            readsAgain = true;
        } else if (!isOver) {
            isReading = true;
            try {
                readers.of(hasFailed).execute(this::readAndAnswer);
            } catch (RejectedExecutionException e) {
                LOG.atDebug().log("a wait for an instance ends, the host closes");
            }
        }
    }

    private void readAndAnswer() {
        try {
            Optional<InstanceSummary> found = states.read(instance);
            note(false);
            take(found).forEach(waiter -> answer(waiter, found));
        } catch (RuntimeException e) {
            note(true);
            statusOf(e).ifPresent(this::fail);
        } finally {
            goOn();
        }
    }

    private synchronized void note(boolean failed) {
        if (failed != hasFailed) {
            hasFailed = failed;
            pauseMillis = failed ? FIRST_PAUSE_AFTER_FAILURE_MILLIS : FIRST_PAUSE_MILLIS;
        }
    }

    /** A waiter whose answer can't be made for now goes on waiting. */
    private void answer(Waiter waiter, Optional<InstanceSummary> found) {
        try {
            waiter.answer(found);
        } catch (RuntimeException e) {
            statusOf(e).ifPresentOrElse(waiter::fail, () -> takeBack(waiter));
        }
    }

    private synchronized void takeBack(Waiter waiter) {
        waiters.add(waiter);
    }

    /** What those who wait are told of a failure; nothing when another read may succeed. */
    private Optional<Status> statusOf(RuntimeException failure) {
        return failure instanceof ProviderException e && e.retryable()
                ? Optional.empty()
                : Optional.of(CallFailures.statusOf("a wait for instance '" + instance + "'", failure));
    }

    private synchronized List<Waiter> take(Optional<InstanceSummary> found) {
        List<Waiter> served = found.isEmpty()
                ? List.copyOf(waiters)
                : waiters.stream()
                        .filter(waiter -> waiter.waitsFor(OrchestrationStates.status(found.get())))
                        .toList();
        waiters.removeAll(served);
        return served;
    }

    private synchronized void goOn() {
        isReading = false;
        endIfUnused();
        if (isOver) {
            return;
        }
        if (readsAgain) {
            readsAgain = false;
            read();
        } else {
            timer.readAfter(this, pauseMillis, hasFailed);
            pauseMillis = Math.min(2 * pauseMillis, LONG_PAUSE_MILLIS);
        }
    }

    void fail(Status status) {
        List<Waiter> failed;
        synchronized (this) {
            failed = List.copyOf(waiters);
            waiters.clear();
            endIfUnused();
        }
        failed.forEach(waiter -> waiter.fail(status));
    }
}
