package io.sluice.emulator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Runs ahead of another clock, or behind it, by an offset. Thread-safe. */
final class AdjustableClock implements InstantSource {
    private final InstantSource base;
    private volatile Duration offset = Duration.ZERO;

    AdjustableClock(InstantSource base) {
        this.base = base;
    }

    void setOffset(Duration changed) {
        offset = changed;
    }

    @Override
    public Instant instant() {
        return base.instant().plus(offset);
    }
}
