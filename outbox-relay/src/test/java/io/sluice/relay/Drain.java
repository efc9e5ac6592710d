package io.sluice.relay;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** The end of a run: waits until nothing remains, or until what remains has not changed for too long. */
public final class Drain {
    /** What is said to remain when nothing does. */
    public static final String NOTHING = "";

    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final Callable<String> remaining;
    private final Duration standstill;
    private String latest = NOTHING;
    private long changedNanos;

    /**
     * @param remaining says what remains, or {@link #NOTHING}
     * @param standstill how long it may stay the same
     */
    public Drain(Callable<String> remaining, Duration standstill) {
        this.remaining = remaining;
        this.standstill = standstill;
    }

    /** Waits, and returns what remains at the end. */
    public String awaitEnd() {
        changedNanos = System.nanoTime();
        await().forever().pollDelay(Duration.ZERO).pollInterval(INTERVAL).until(this::hasEnded);
        return latest;
    }

    private boolean hasEnded() throws Exception {
        var now = remaining.call();
        if (!now.equals(latest)) {
            latest = now;
            changedNanos = System.nanoTime();
        }
        return now.equals(NOTHING) || System.nanoTime() - changedNanos > standstill.toNanos();
    }
}
