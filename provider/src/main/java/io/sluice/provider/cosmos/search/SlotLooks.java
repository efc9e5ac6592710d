package io.sluice.provider.cosmos.search;

import io.sluice.provider.cosmos.slot.SlotRange;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Chooses the slots that the next query searches: mostly those of this process; every few seconds also messages of
 * other slots that their process has left waiting too long; and all slots before a fetch returns nothing. Thread-safe.
 */
public final class SlotLooks {
    /** A process that is alive and not busy lets no message wait this long. */
    static final Duration OVERDUE = Duration.ofSeconds(3);

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private long lookedAtOthersNanos;
    private boolean isOwnEmpty;
    private boolean areOthersOverdue;

    /** Nothing was searched yet. */
    public SlotLooks(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.lookedAtOthersNanos = nanoTime.getAsLong();
    }

    /** The slots of the next query: all of them where that is wanted. */
    public synchronized SlotScope next(SlotRange own, boolean isWhole) {
        if (own.isAll() || isWhole) {
            return SlotScope.ALL;
        }
        boolean isTime = nanoTime.getAsLong() - lookedAtOthersNanos >= OVERDUE.toNanos();
        return isTime || (areOthersOverdue && isOwnEmpty)
                ? new SlotScope(own, clock.millis() - OVERDUE.toMillis())
                : new SlotScope(own, 0);
    }

    /** Notes what the query found. */
    public synchronized void answered(SlotScope scope, boolean isEmpty, long atNanos) {
        isOwnEmpty = isEmpty;
        if (scope.isAll() || scope.isPartial()) {
            lookedAtOthersNanos = atNanos;
            areOthersOverdue = scope.isPartial() && !isEmpty;
        }
    }

    /** Whether the next query should follow without a rest. */
    public synchronized boolean isAnotherDue() {
        return isOwnEmpty && areOthersOverdue;
    }
}
