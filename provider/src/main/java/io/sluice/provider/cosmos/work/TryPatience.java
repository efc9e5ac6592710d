package io.sluice.provider.cosmos.work;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long a dispatcher tries to lock one candidate while the store refuses it: the shorter, the more candidates it has
 * refused lately. A throttled physical partition may hold thousands, and what others hold waits behind them.
 * Thread-safe.
 */
public final class TryPatience {
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final int MOST = 1_000;

    private final AtomicInteger refused = new AtomicInteger();

    /** For the next try. */
    public Duration next() {
        Duration share = LONGEST.dividedBy(1L + refused.get());
        return share.compareTo(SHORTEST) < 0 ? SHORTEST : share;
    }

    /** The store refused a try. */
    public void refused() {
        refused.updateAndGet(before -> Math.min(MOST, before + 1));
    }

    /** The store served one. */
    public void served() {
        refused.updateAndGet(before -> before / 2);
    }
}
