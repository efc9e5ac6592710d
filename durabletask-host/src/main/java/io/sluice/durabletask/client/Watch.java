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
final class Watch {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
    private static final long FIRST_REST_MILLIS = 50;
    private static final long FIRST_REST_AFTER_FAILURE_MILLIS = 1_000;
    private static final long LONG_REST_MILLIS = 60_000;

    private final String instance;
    private final States states;
    private final Lookers lookers;
    private final Rests rests;
    private final Consumer<Watch> onOver;
    private final List<Waiter> waiters = new ArrayList<>();
    private boolean isLooking;
    private boolean looksAgain;
    private boolean isOver;
    /** Whether the last look could not read the instance. */
    private boolean hasFailed;

    private long restMillis = FIRST_REST_MILLIS;

    /** Lets a watch look again after a rest, which may be shortened. */
    @FunctionalInterface
    interface Rests {
        void lookAfter(Watch watch, long millis, boolean hasFailed);
    }

    /** Who looks, at an instance that could be read last time or at one that could not. */
    @FunctionalInterface
    interface Lookers {
        Executor of(boolean hasFailed);
    }

    Watch(String instance, States states, Lookers lookers, Rests rests, Consumer<Watch> onOver) {
        this.instance = instance;
        this.states = states;
        this.lookers = lookers;
        this.rests = rests;
        this.onOver = onOver;
    }

    String instance() {
        return instance;
    }

    /** Takes in a waiter; false when the watch is over, and another one is needed. */
    synchronized boolean add(Waiter waiter) {
        if (isOver) {
            return false;
        }
        waiters.add(waiter);
        if (!hasFailed) {
            restMillis = FIRST_REST_MILLIS;
        }
        look();
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
            look();
        }
    }

    /** Looks at the instance, now or, if somebody does already, once more. */
    synchronized void look() {
        if (isLooking) {
            looksAgain = true;
        } else if (!isOver) {
            isLooking = true;
            try {
                lookers.of(hasFailed).execute(this::readAndAnswer);
            } catch (RejectedExecutionException e) {
                LOG.atDebug().log("a watch ends, the host closes");
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
            restMillis = failed ? FIRST_REST_AFTER_FAILURE_MILLIS : FIRST_REST_MILLIS;
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

    /** What those who wait are told of a failure; nothing when another look may succeed. */
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
        isLooking = false;
        endIfUnused();
        if (isOver) {
            return;
        }
        if (looksAgain) {
            looksAgain = false;
            look();
        } else {
            rests.lookAfter(this, restMillis, hasFailed);
            restMillis = Math.min(2 * restMillis, LONG_REST_MILLIS);
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
