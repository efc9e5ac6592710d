package io.sluice.provider.request;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A moment after which trying on is no use; measured on the monotonic clock. */
public final class Deadline {
    private final LongSupplier nanoTime;
    private final long atNanos;
    private final Duration length;

    private Deadline(LongSupplier nanoTime, long atNanos, Duration length) {
        this.nanoTime = nanoTime;
        this.atNanos = atNanos;
        this.length = length;
    }

    /** A deadline this far from now. */
    public static Deadline in(Duration duration) {
        return new Deadline(System::nanoTime, System.nanoTime() + duration.toNanos(), duration);
    }

    /** The time left; zero when it has passed. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, atNanos - nanoTime.getAsLong()));
    }

    /** Whether it has passed. */
    public boolean isOver() {
        return atNanos - nanoTime.getAsLong() <= 0;
    }

    /** As far from now as this one was when it was made. */
    public Deadline again() {
        return in(length);
    }

    /** The earlier of the two. */
    public Deadline orIn(Duration duration) {
        Deadline other = in(duration);
        return other.atNanos - atNanos < 0 ? other : this;
    }
}
