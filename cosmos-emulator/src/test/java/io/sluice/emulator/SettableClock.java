package io.sluice.emulator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that goes on when a test says so. */
final class SettableClock implements InstantSource {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    synchronized void advance(Duration duration) {
        now = now.plus(duration);
    }
}
