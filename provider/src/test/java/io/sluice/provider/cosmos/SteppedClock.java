package io.sluice.provider.cosmos;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** Another clock, as far ahead of it as a test has stepped, or stopped. Thread-safe. */
public final class SteppedClock implements InstantSource {
    private volatile InstantSource base;
    private final AtomicLong aheadMillis = new AtomicLong();

    public SteppedClock(InstantSource base) {
        this.base = base;
    }

    /** From now on only steps move it. */
    void stop() {
        base = InstantSource.fixed(base.instant());
    }

    /** From now on it is so much further ahead. */
    public void step(Duration ahead) {
        aheadMillis.addAndGet(ahead.toMillis());
    }

    /** From now on it is not behind the other clock's present time. */
    void catchUp(InstantSource other) {
        aheadMillis.addAndGet(
                Math.max(0, Duration.between(instant(), other.instant()).toMillis() + 1));
    }

    @Override
    public Instant instant() {
        return base.instant().plusMillis(aheadMillis.get());
    }
}
