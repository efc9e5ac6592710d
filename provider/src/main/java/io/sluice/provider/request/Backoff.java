package io.sluice.provider.request;

import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Pauses between tries: doubling with jitter, never shorter than the store asked for. Not thread-safe. */
public final class Backoff {
    private static final long FIRST_MILLIS = 20;
    private static final long MAX_MILLIS = 1_000;
    private static final long GLANCE_MILLIS = 250;

    private long nextMillis = FIRST_MILLIS;

    /**
     * Waits before the next try.
     *
     * @param atLeast what the store asked for; null when it asked for nothing
     * @return false, without waiting, when the deadline would pass meanwhile
     * @throws ProviderException retryable, with the interrupt flag set, when the thread is interrupted
     */
    public boolean pause(Call call, @Nullable Duration atLeast) {
        long jittered = jittered();
        return pause(call, atLeast == null ? jittered : Math.max(atLeast.toMillis(), 1), () -> true);
    }

    /**
     * Waits before the next try of something that takes more than one request: longer than the store asked, for it asks
     * no more than one request needs.
     *
     * @param wanted asked now and then
     * @return false when the deadline would pass meanwhile, or it is not wanted any more
     */
    boolean pauseLonger(Call call, @Nullable Duration asked, BooleanSupplier wanted) {
        return pause(call, jittered() + (asked == null ? 0 : asked.toMillis()), wanted);
    }

    private long jittered() {
        long jittered = nextMillis / 2 + ThreadLocalRandom.current().nextLong(nextMillis / 2 + 1);
        nextMillis = Math.min(MAX_MILLIS, nextMillis * 2);
        return jittered;
    }

    private static boolean pause(Call call, long millis, BooleanSupplier wanted) {
        if (call.deadline().remaining().toMillis() <= millis) {
            return false;
        }
        OperationCost.paused(TimeUnit.MILLISECONDS.toNanos(millis));
        for (long left = millis; left > 0; left -= GLANCE_MILLIS) {
            if (!wanted.getAsBoolean()) {
                return false;
            }
            sleep(call, Math.min(left, GLANCE_MILLIS));
        }
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
