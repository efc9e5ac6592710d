package io.sluice.relay.delivery;

import io.sluice.provider.outbox.Intent;
import io.sluice.relay.loop.RetryBackoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Delivers rounds of intents, one round of each pair at a time, on the threads for pairs. Thread-safe.
 *
 * @param slow the pairs that are left out, as they take too long
 */
record PairRounds(IntentStep step, PairThreads threads, SlowPairs slow, InstantSource clock) {
    /** How often those are looked for that take too long. */
    private static final long CHECK_MILLIS = 100;

    private static final Duration LONGEST_REST = Duration.ofSeconds(3);
    private static final RetryBackoff REST = new RetryBackoff(LONGEST_REST, LONGEST_REST, new Random());

    /** Begins with the first intents of a pair, in order. */
    PairRound start(String source, List<Intent> intents) {
        return new PairRound(this, source, intents).started();
    }

    /** When a pair is tried again for which there was no thread, or that has failed after it was detached. */
    long restedMillis() {
        return clock.millis() + REST.after(1).toMillis();
    }

    /** Runs work for a target later, without holding a thread until then. */
    void runAfter(Duration delay, String target, Runnable work) {
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, task -> threads.run(target, task))
                .execute(work);
    }

    /** Waits until each round has ended, or is detached as it takes too long. */
    void await(Collection<PairRound> rounds) {
        var all = CompletableFuture.allOf(rounds.stream().map(PairRound::ended).toArray(CompletableFuture<?>[]::new));
        while (!all.isDone()) {
            try {
                all.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                rounds.forEach(PairRound::detachIfSlow);
            } catch (ExecutionException e) {
                // Each round tells its own failure.
                return;
            } catch (InterruptedException e) {
                // The process stops: what is not delivered stays in the store.
                rounds.forEach(PairRound::detach);
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
