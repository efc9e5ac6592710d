package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.slot.SlotRange;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Which slots the next look at the store is of: mostly one's own; every few seconds, whatever there is in these, also what of the others has waited longer than
 * its own process would have let it, by age; and all of them before a fetch says that there is nothing. Thread-safe.
 */
final class SlotLooks {
    /** How long a process that is alive and not busy leaves nothing waiting. */
    static final Duration OVERDUE = Duration.ofSeconds(3);

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private long lookedAtOthersNanos;
    private long sentAtNanos;
    private boolean isOwnEmpty;
    private boolean areOthersOverdue;

    SlotLooks(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.lookedAtOthersNanos = nanoTime.getAsLong();
    }

    /**
     * The next look.
     *
     * @param isLast whether it is the last chance of a fetch that began at {@code beganNanos}
     */
    synchronized SlotScope next(SlotRange own, boolean isLast, long beganNanos) {
        if (own.isAll() || (isLast && isOwnEmpty && sentAtNanos - beganNanos >= 0)) {
            return SlotScope.ALL;
        }
        boolean isTime = nanoTime.getAsLong() - lookedAtOthersNanos >= OVERDUE.toNanos();
        return isTime || (areOthersOverdue && isOwnEmpty)
                ? new SlotScope(own, clock.millis() - OVERDUE.toMillis())
                : new SlotScope(own, 0);
    }

    /** What came of it. */
    synchronized void answered(SlotScope scope, boolean isEmpty, long atNanos) {
        sentAtNanos = atNanos;
        isOwnEmpty = isEmpty;
        if (scope.isAll() || scope.isPartial()) {
            lookedAtOthersNanos = atNanos;
            areOthersOverdue = scope.isPartial() && !isEmpty;
        }
    }

    /** Whether the look just answered should be followed by another without a rest. */
    synchronized boolean isAnotherDue() {
        return isOwnEmpty && areOthersOverdue;
    }
}
