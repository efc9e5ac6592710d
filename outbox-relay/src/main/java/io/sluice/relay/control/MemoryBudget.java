package io.sluice.relay.control;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How much memory large documents may take at a time. What needs room for some reserves it first, waits until there is,
 * and gives it back. They get it in the order in which they asked, so that a large document is not passed over by small
 * ones for ever; one that is larger than the whole budget has it alone. Thread-safe.
 *
 * <p>Nobody may wait here while holding a reservation of the same budget: two that do so wait for each other for ever.
 * So a reservation can be made smaller, but not larger.
 */
public final class MemoryBudget {
    private static final long STILL_WAITING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long bytes;
    private final Deque<Object> waiting = new ArrayDeque<>();
    private long free;

    /** A budget of so many bytes. */
    public MemoryBudget(long bytes) {
        this.bytes = Math.max(1, bytes);
        this.free = this.bytes;
    }

    /** Room that is kept until it is closed. Belongs to one thread. */
    public final class Reservation implements AutoCloseable {
        private long held;

        private Reservation(long held) {
            this.held = held;
        }

        /** Gives back what is not needed after all; does nothing when more is. */
        public void shrinkTo(long needed) {
            long left = Math.min(held, Math.max(0, needed));
            release(held - left);
            held = left;
        }

        @Override
        public void close() {
            shrinkTo(0);
        }
    }

    /**
     * Waits for room.
     *
     * @param wanted bytes; 0 for none
     * @param stillWaiting is run every second while there is none
     */
    public Reservation reserve(long wanted, Runnable stillWaiting) throws InterruptedException {
        long taken = Math.max(0, Math.min(wanted, bytes));
        if (taken > 0) {
            take(taken, stillWaiting);
        }
        return new Reservation(taken);
    }

    /**
     * Waits for room, and keeps it while the work is done.
     *
     * @param wanted bytes; 0 for work that needs none
     * @throws IllegalStateException when the thread is interrupted while it waits; its flag is kept
     */
    public <T> T holding(long wanted, Supplier<T> work) {
        var room = reserve(wanted);
        try {
            return work.get();
        } finally {
            room.close();
        }
    }

    private Reservation reserve(long wanted) {
        try {
            return reserve(wanted, () -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for memory", e);
        }
    }

    private void take(long wanted, Runnable stillWaiting) throws InterruptedException {
        var ticket = new Object();
        enqueue(ticket);
        try {
            while (!tryTake(ticket, wanted)) {
                stillWaiting.run();
            }
        } finally {
            dequeue(ticket);
        }
    }

    private synchronized void enqueue(Object ticket) {
        waiting.add(ticket);
    }

    /** Also when it was not its turn, and it waits no more. */
    private synchronized void dequeue(Object ticket) {
        waiting.remove(ticket);
        notifyAll();
    }

    private synchronized boolean tryTake(Object ticket, long wanted) throws InterruptedException {
        long begunNanos = System.nanoTime();
        while (waiting.peek() != ticket || free < wanted) {
            long leftNanos = STILL_WAITING_NANOS - (System.nanoTime() - begunNanos);
            if (leftNanos <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(leftNanos, TimeUnit.MILLISECONDS.toNanos(1)));
        }
        free -= wanted;
        return true;
    }

    private synchronized void release(long given) {
        free += given;
        notifyAll();
    }

    /** Bytes of the whole budget. */
    public long bytes() {
        return bytes;
    }

    /** Bytes that nobody has reserved. */
    public synchronized long freeBytes() {
        return free;
    }
}
