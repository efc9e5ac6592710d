package io.sluice.provider.cosmos;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** Another clock, and as far ahead of it as a test has stepped. Thread-safe. */
final class SteppedClock implements InstantSource {
    private final InstantSource base;
    private final AtomicLong aheadMillis = new AtomicLong();

    SteppedClock(InstantSource base) {
        this.base = base;
    }

    void step(Duration ahead) {
        aheadMillis.addAndGet(ahead.toMillis());
    }

    @Override
    public Instant instant() {
        return base.instant().plusMillis(aheadMillis.get());
    }
}
