package io.sluice.provider.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when told to, and clocks that differ from it. Thread-safe. */
final class TestClock implements InstantSource {
    private final AtomicLong millis = new AtomicLong(1_790_000_000_000L);

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }

    void advance(Duration by) {
        millis.addAndGet(by.toMillis());
    }

    /** A clock that is ahead of this one; behind, when negative. */
    InstantSource ahead(Duration by) {
        return () -> instant().plus(by);
    }
}
