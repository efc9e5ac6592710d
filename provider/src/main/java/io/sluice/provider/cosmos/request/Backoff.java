package io.sluice.provider.cosmos.request;

import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pauses between tries: doubling with jitter, never shorter than the store asked for. Not thread-safe. */
public final class Backoff {
    private static final long FIRST_MILLIS = 20;
    private static final long MAX_MILLIS = 1_000;

    private long nextMillis = FIRST_MILLIS;

    /**
     * Waits before the next try.
     *
     * @param atLeast what the store asked for; null when it asked for nothing
     * @return false, without waiting, when the deadline would pass meanwhile
     * @throws ProviderException retryable, with the interrupt flag set, when the thread is interrupted
     */
    public boolean pause(Call call, @Nullable Duration atLeast) {
        long jittered = nextMillis / 2 + ThreadLocalRandom.current().nextLong(nextMillis / 2 + 1);
        nextMillis = Math.min(MAX_MILLIS, nextMillis * 2);
        long millis = atLeast == null ? jittered : Math.max(atLeast.toMillis(), 1);
        if (call.deadline().remaining().toMillis() <= millis) {
            return false;
        }
        Tally.paused(TimeUnit.MILLISECONDS.toNanos(millis));
        sleep(call, millis);
        return true;
    }

    /**
     * Waits until the deadline has passed.
     *
     * @throws ProviderException retryable, with the interrupt flag set, when the thread is interrupted
     */
    public static void waitOut(Call call) {
        while (!call.deadline().isOver()) {
            sleep(call, call.deadline().remaining().toMillis() + 1);
        }
    }

    private static void sleep(Call call, long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw Failures.interrupted(call, e);
        }
    }
}
