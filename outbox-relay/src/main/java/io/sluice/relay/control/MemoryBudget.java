package io.sluice.relay.control;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Limits the memory for large documents. A thread reserves memory, waits until there is enough, and releases it.
 * Reservations are granted in order of arrival, so that small documents don't delay a large one for ever; a document
 * that is larger than the whole budget gets all of it. Thread-safe.
 *
 * <p>A thread must not wait here while it holds a reservation of the same budget: two such threads would wait for each
 * other for ever. So a reservation can be made smaller, and larger only without a wait.
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

    /** Memory that is reserved until it is closed. For one thread. */
    public final class Reservation implements AutoCloseable {
        private long held;

        private Reservation(long held) {
            this.held = held;
        }

        /** Releases memory that is not needed; does nothing if more is needed. */
        public void shrinkTo(long needed) {
            long left = Math.min(held, Math.max(0, needed));
            release(held - left);
            held = left;
        }

        /**
         * Reserves more at once, or nothing more: when so much is not free, or others wait for memory.
         *
         * @return whether so much is held now, or the whole budget if that is less
         */
        public boolean tryGrowTo(long needed) {
            long more = Math.min(needed, bytes) - held;
            if (more > 0 && !tryTakeNow(more)) {
                return false;
            }
            held += Math.max(0, more);
            return true;
        }

        @Override
        public void close() {
            shrinkTo(0);
        }
    }

    /**
     * Waits for memory.
     *
     * @param wanted bytes; 0 for none
     * @param stillWaiting runs every second during the wait
     */
    public Reservation reserve(long wanted, Runnable stillWaiting) throws InterruptedException {
        long taken = Math.max(0, Math.min(wanted, bytes));
        if (taken > 0) {
            take(taken, stillWaiting);
        }
        return new Reservation(taken);
    }

    /**
     * Waits for memory, and reserves it during the work.
     *
     * @param wanted bytes; 0 for none
     * @throws IllegalStateException if the thread is interrupted while it waits; its flag is kept
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

    /** Also called when the wait was interrupted before the ticket was first. */
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

    private synchronized boolean tryTakeNow(long wanted) {
        if (!waiting.isEmpty() || free < wanted) {
            return false;
        }
        free -= wanted;
        return true;
    }

    private synchronized void release(long given) {
        free += given;
        notifyAll();
    }

    /** The whole budget in bytes. */
    public long bytes() {
        return bytes;
    }

    /** The bytes that are not reserved. */
    public synchronized long freeBytes() {
        return free;
    }
}
