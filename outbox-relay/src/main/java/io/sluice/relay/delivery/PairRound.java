package io.sluice.relay.delivery;

import io.sluice.provider.outbox.Intent;
import io.sluice.relay.delivery.IntentStep.Outcome;
import io.sluice.relay.delivery.PairThreads.Pace;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first intents of a pair, which are handled in order. A round that is slow is detached: its drain is given what it
 * has done, and goes on with other pairs; the round goes on by itself, and its source is drained again when it has
 * ended. Where the target's partition is known to be slow, a round is detached from its beginning. Thread-safe.
 */
final class PairRound {
    private static final Logger LOG = LoggerFactory.getLogger(PairRound.class);
    /** The drain's room in memory ends with the drain: a detached round keeps its first intent and so much more. */
    private static final int MOST_DETACHED_CHARS = 100_000;

    private final PairRounds rounds;
    private final String source;
    private final String target;
    private final Deque<Intent> left;
    private final List<Intent> delivered = new ArrayList<>();
    private final CompletableFuture<Result> ended = new CompletableFuture<>();
    private State state = State.WAITING;
    private boolean detached;
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
        var pace = rounds.threads().pace(target);
        if (pace == Pace.STUCK) {
            end(DrainResult.dueAt(rounds.restedMillis()));
            return this;
        }
        if (pace == Pace.SLOW) {
            detach();
        }
        rounds.threads().run(target, this::run);
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
            end(null);
            return null;
        }
        if (detached && rounds.slow().arePaused()) {
            end(DrainResult.dueAt(rounds.clock().millis()));
            return null;
        }
        state = State.SENDING;
        movedNanos = System.nanoTime();
        rounds.threads().moved();
        return first;
    }

    private void settle(Outcome outcome) {
        if (outcome instanceof Outcome.Stopped stop) {
            end(stop.result().merge(rounds.step().claimBehind(behindFirst())));
        } else if (outcome instanceof Outcome.Again again) {
            rest(again.delay());
        } else {
            proceed(outcome instanceof Outcome.Delivered);
        }
    }

    private synchronized List<Intent> behindFirst() {
        return left.stream().skip(1).toList();
    }

    private synchronized void rest(Duration delay) {
        tries++;
        state = State.RESTING;
        rounds.runAfter(delay, target, this::resume);
    }

    private void resume() {
        synchronized (this) {
            state = State.WAITING;
        }
        run();
    }

    private synchronized void proceed(boolean wasDelivered) {
        tries = 0;
        settled++;
        var done = left.remove();
        if (wasDelivered) {
            delivered.add(done);
        }
    }

    /** @param stop what is left, if the pair can't go on; null if all of the round is done */
    private synchronized void end(@Nullable DrainResult stop) {
        state = State.ENDED;
        if (detached) {
            rounds.slow().end(source, target, delivered, nextMillis(stop));
        } else {
            ended.complete(
                    new Result(delivered, settled, stop != null, stop == null ? DrainResult.NOTHING_LEFT : stop));
        }
    }

    private long nextMillis(@Nullable DrainResult stop) {
        if (stop == null) {
            return rounds.clock().millis();
        }
        return stop.hasFailed() ? stop.nextMillis(rounds.restedMillis()) : stop.nextMillis();
    }

    private synchronized void fail(Throwable failure) {
        state = State.ENDED;
        if (detached) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.SOURCE, source)
                    .addKeyValue(LogKeys.TARGET, target)
                    .setCause(failure)
                    .log("an intent could not be handled, the relay will try again");
            rounds.slow().end(source, target, delivered, rounds.restedMillis());
        } else {
            ended.completeExceptionally(new CompletionException(failure));
        }
    }

    /** Detaches the round if it is slow; one that waits for a thread waits as long as others come and go. */
    void detachIfSlow() {
        if (isSlow()) {
            detach();
        }
    }

    private synchronized boolean isSlow() {
        boolean isOld = System.nanoTime() - movedNanos > PairThreads.SLOW_NANOS;
        return isOld && (state != State.WAITING || rounds.threads().pace(target) != Pace.GOOD);
    }

    /** Ends the wait of the drain, which is given what was done until now. */
    synchronized void detach() {
        if (state == State.ENDED || detached) {
            return;
        }
        rounds.slow().begin(source, target);
        detached = true;
        ended.complete(new Result(List.copyOf(delivered), settled, true, DrainResult.NOTHING_LEFT));
        delivered.clear();
        keepFirst();
    }

    private void keepFirst() {
        long chars = 0;
        boolean isFirst = true;
        for (Iterator<Intent> intents = left.iterator(); intents.hasNext(); isFirst = false) {
            chars += intents.next().payload().length();
            if (!isFirst && chars > MOST_DETACHED_CHARS) {
                intents.remove();
            }
        }
    }
}
