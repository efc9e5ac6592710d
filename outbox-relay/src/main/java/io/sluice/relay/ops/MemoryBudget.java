package io.sluice.relay.ops;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * How much memory large documents may take at a time. What needs room for some reserves it first, waits until there is, and gives it back. They get it in the order in
 * which they asked, so that a large document is not passed over by small ones for ever; one that is larger than the whole budget has it alone. Thread-safe.
 *
 * <p>Nobody may wait here while holding a reservation of the same budget: two that do so wait for each other for ever.
 */
public final class MemoryBudget {
    private static final int UNIT_BYTES = 1_024;

    private final int units;
    private final Semaphore free;

    /** A budget of so many bytes. */
    public MemoryBudget(long bytes) {
        this.units = (int) Math.max(1, Math.min(bytes / UNIT_BYTES, Integer.MAX_VALUE));
        this.free = new Semaphore(units, true);
    }

    /** A budget of a part of the largest heap this process may have. */
    public static MemoryBudget ofHeap(double part) {
        return new MemoryBudget((long) (Runtime.getRuntime().maxMemory() * part));
    }

    /**
     * Waits for room, and keeps it while the work is done.
     *
     * @param bytes 0 for work that needs none
     * @throws IllegalStateException when the thread is interrupted while it waits; its flag is kept
     */
    public <T> T holding(long bytes, Supplier<T> work) {
        if (bytes <= 0) {
            return work.get();
        }
        int wanted = (int) Math.min((bytes + UNIT_BYTES - 1) / UNIT_BYTES, units);
        try {
            free.acquire(wanted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for memory", e);
        }
        try {
            return work.get();
        } finally {
            free.release(wanted);
        }
    }

    /** Bytes that nobody has reserved. */
    public long freeBytes() {
        return (long) free.availablePermits() * UNIT_BYTES;
    }
}
