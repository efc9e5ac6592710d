package io.sluice.provider.world.site;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The service's time. It stands still unless it is moved, and never goes back. Thread-safe. */
public final class VirtualTime implements InstantSource {
    private static final long BEGINNING = Instant.parse("2030-01-01T00:00:00Z").toEpochMilli();
    private static final Duration APART = Duration.ofDays(8);

    private final AtomicLong nowMillis = new AtomicLong(BEGINNING);
    private final AtomicLong worldMillis = new AtomicLong(BEGINNING);

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
        return nowMillis.get();
    }

    /** The monotonic clock of every machine. */
    public long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(millis());
    }

    /** It moves on. */
    public void pass(Duration time) {
        nowMillis.addAndGet(time.toMillis());
    }

    /**
     * Another world begins, so much later that nothing of the last one is young, and always at the same place within a
     * second.
     */
    public void nextWorld() {
        nowMillis.set(worldMillis.addAndGet(APART.toMillis()));
    }

    /** Since this world began. */
    public long inWorldMillis() {
        return millis() - worldMillis.get();
    }
}
