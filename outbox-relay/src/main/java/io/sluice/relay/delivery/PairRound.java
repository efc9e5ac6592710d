package io.sluice.relay.delivery;

import io.sluice.provider.outbox.Intent;
import io.sluice.relay.delivery.IntentStep.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The first intents of a pair, which are handled in order. One that takes longer than a second is left to itself: the
 * round ends with what it has done, the drain of the source goes on with other pairs, and what is being sent ends
 * whenever it does. Thread-safe.
 */
final class PairRound {
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Until a pair is tried again for which there was no thread, or that took too long. */
    private static final Duration REST = Duration.ofSeconds(1);

    private final PairRounds rounds;
    private final String source;
    private final String target;
    private final Deque<Intent> left;
    private final List<Intent> delivered = new ArrayList<>();
    private final CompletableFuture<Result> ended = new CompletableFuture<>();
    private State state = State.WAITING;
    private long movedNanos = System.nanoTime();
    private int settled;
    private int tries;

    private enum State {
        /** For a thread. */
        WAITING,
        /** A thread handles the first intent. */
        SENDING,
        /** For the next try of the first intent. */
        RESTING,
        /** No intent is handled any more. */
        ENDED
    }

    /**
     * What a round did.
     *
     * @param settled how many intents were delivered or given up
     * @param stopped whether the drain leaves this pair out from now on
     */
    record Result(List<Intent> delivered, int settled, boolean stopped, DrainResult left) {}

    PairRound(PairRounds rounds, String source, List<Intent> intents) {
        this.rounds = rounds;
        this.source = source;
        this.target = intents.get(0).targetInstance();
        this.left = new ArrayDeque<>(intents);
    }

    /** Begins, unless there is no thread for the target's partition and none will be free soon. */
    PairRound started() {
        if (rounds.threads().isStuck(target)) {
            leave();
        } else {
            rounds.threads().run(target, this::run);
        }
        return this;
    }

    String target() {
        return target;
    }

    /** Completes with the result, or with what broke the round. */
    CompletableFuture<Result> ended() {
        return ended;
    }

    private void run() {
        try {
            for (var intent = first(); intent != null; intent = first()) {
                settle(rounds.step().run(intent, tries));
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** The intent that is handled now; null if none is. */
    private synchronized @Nullable Intent first() {
        if (state == State.ENDED || state == State.RESTING) {
            return null;
        }
        var first = left.peek();
        if (first == null) {
            end(false, DrainResult.NOTHING_LEFT);
            return null;
        }
        state = State.SENDING;
        movedNanos = System.nanoTime();
        return first;
    }

    private void settle(Outcome outcome) {
        if (outcome instanceof Outcome.Stopped stop) {
            stop(stop.result().merge(rounds.step().claimBehind(behindFirst())));
        } else if (outcome instanceof Outcome.Again again) {
            rest(again.delay());
        } else {
            proceed(outcome instanceof Outcome.Delivered);
        }
    }

    private synchronized List<Intent> behindFirst() {
        return left.stream().skip(1).toList();
    }

    private synchronized void stop(DrainResult result) {
        if (isLeft()) {
            long retry = rounds.clock().millis() + REST.toMillis();
            rounds.slow().end(source, target, result.hasFailed() ? result.nextMillis(retry) : result.nextMillis());
        } else {
            end(true, result);
        }
    }

    private synchronized void rest(Duration delay) {
        if (isLeft()) {
            rounds.slow().end(source, target, rounds.clock().millis() + REST.toMillis());
            return;
        }
        tries++;
        state = State.RESTING;
        movedNanos = System.nanoTime();
        rounds.runAfter(delay, target, this::resume);
    }

    private void resume() {
        synchronized (this) {
            if (state == State.RESTING) {
                state = State.WAITING;
            }
        }
        run();
    }

    private synchronized void proceed(boolean wasDelivered) {
        if (isLeft()) {
            // The next drain finds the receipt, removes the intent, and goes on with the pair.
            rounds.slow().end(source, target, rounds.clock().millis());
            return;
        }
        tries = 0;
        settled++;
        var done = left.remove();
        if (wasDelivered) {
            delivered.add(done);
        }
    }

    private synchronized void fail(Throwable failure) {
        if (isLeft()) {
            rounds.slow().end(source, target, rounds.clock().millis() + REST.toMillis());
        } else {
            state = State.ENDED;
            ended.completeExceptionally(new CompletionException(failure));
        }
    }

    private boolean isLeft() {
        return state == State.ENDED;
    }

    private void end(boolean stopped, DrainResult result) {
        state = State.ENDED;
        left.clear();
        ended.complete(new Result(List.copyOf(delivered), settled, stopped, result));
    }

    /** Ends the round if it came no further for a second; a pair that waits for a thread waits as long as others move. */
    void leaveIfSlow() {
        if (isSlow()) {
            leave();
        }
    }

    private synchronized boolean isSlow() {
        return state == State.WAITING ? rounds.threads().isStuck(target) : System.nanoTime() - movedNanos > SLOW_NANOS;
    }

    /** Ends the round with what it has done. */
    synchronized void leave() {
        switch (state) {
            case SENDING -> {
                rounds.slow().begin(source, target);
                end(true, DrainResult.NOTHING_LEFT);
            }
            case WAITING -> end(true, DrainResult.dueAt(rounds.clock().millis() + REST.toMillis()));
            case RESTING -> end(true, DrainResult.FAILED);
            case ENDED -> {}
        }
    }
}
