package io.sluice.relay.sweep;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Threads;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives each range its turns, several ranges at a time, and a range one turn at a time. Thread-safe. */
final class SweepTurns implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SweepTurns.class);
    /** A store that is busy answers sweeps late; more at once would not make it faster. */
    private static final int AT_A_TIME = 4;

    private static final Duration REST_AFTER_ERROR = Duration.ofSeconds(1);

    private final Turn turn;
    private final Duration drainTimeout;
    private final ScheduledThreadPoolExecutor threads =
            new ScheduledThreadPoolExecutor(AT_A_TIME, Threads.named("sluice-sweep"));
    private final Map<KeyRange, Slot> slots = new HashMap<>();

    /** What is done in a turn. */
    @FunctionalInterface
    interface Turn {
        /** Returns how long until the next turn of the range; null for no next turn until it is asked for. */
        @Nullable
        Duration run(KeyRange range);
    }

    /** When a range has its next turn. */
    private static final class Slot {
        private @Nullable ScheduledFuture<?> next;
        private boolean isRunning;
        /** Wanted while a turn was under way. */
        private @Nullable Duration wanted;
    }

    SweepTurns(Turn turn, Duration drainTimeout) {
        this.turn = turn;
        this.drainTimeout = drainTimeout;
        threads.setRemoveOnCancelPolicy(true);
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** A range gets its next turn within so long, or sooner. */
    synchronized void within(KeyRange range, Duration time) {
        var slot = slots.computeIfAbsent(range, key -> new Slot());
        if (slot.isRunning) {
            slot.wanted = shorter(slot.wanted, time);
        } else {
            schedule(range, slot, time);
        }
    }

    private void schedule(KeyRange range, Slot slot, Duration time) {
        var next = slot.next;
        if (threads.isShutdown() || (next != null && next.getDelay(TimeUnit.NANOSECONDS) <= time.toNanos())) {
            return;
        }
        if (next != null && !next.cancel(false)) {
            return; // it begins at this moment
        }
        slot.next = threads.schedule(() -> run(range, slot), time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void run(KeyRange range, Slot slot) {
        synchronized (this) {
            slot.next = null;
            slot.isRunning = true;
        }
        @Nullable Duration next = REST_AFTER_ERROR;
        try {
            next = turn.run(range);
        } catch (RuntimeException | Error e) {
            // The end of its turns would not be noticed, so they must continue.
            LOG.atError()
                    .addKeyValue(LogKeys.RANGE, range.name())
                    .setCause(e)
                    .log("an error ended the sweep of a range, the relay will try again");
        } finally {
            synchronized (this) {
                slot.isRunning = false;
                var wanted = slot.wanted;
                slot.wanted = null;
                if (next != null) {
                    schedule(range, slot, shorter(wanted, next));
                } else if (wanted != null) {
                    schedule(range, slot, wanted);
                } else {
                    slots.remove(range);
                }
            }
        }
    }

    private static Duration shorter(@Nullable Duration one, Duration other) {
        return one == null || other.compareTo(one) < 0 ? other : one;
    }

    /** Ends the turns under way, for which it waits at most the drain timeout. */
    @Override
    public void close() {
        Threads.drain(threads, drainTimeout);
    }
}
