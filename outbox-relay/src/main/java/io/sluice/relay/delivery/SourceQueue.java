package io.sluice.relay.delivery;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.partition.PartitionPlaces;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The sources to be drained, by the time when they are due. One worker at a time has a source; a source that is added
 * meanwhile is drained once more afterwards, so that no wake-up is lost. Thread-safe.
 *
 * <p>Sources of the backlog, found by the sweep or left over by a drain that ended early, wait for sources with new
 * intents, and some workers never take them; but every ninth source is one of the backlog while it has any. The backlog
 * is bounded: beyond half of that, sources of it that keep failing, or are due much later, are forgotten until the
 * sweep finds them again; else they would keep the sweep from finding all others.
 *
 * <p>Sources with new intents are bounded too, for the memory that they take: beyond a number those that are due later,
 * most of them failing, are left to the sweep; beyond twice the number all are.
 *
 * <p>Sources that lie in one physical partition of the store take its share of the workers: further sources of
 * that partition wait, and sources of the backlog are left to the sweep when they are many.
 */
final class SourceQueue {
    /** The time of a source that is not due before it is added again. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int MOST_NEW_IN_A_ROW = 8;

    /** A source of the backlog that failed more often in a row, or has to wait longer, is left to the next sweep. */
    private static final int MOST_FAILURES = 5;

    private static final long LONGEST_WAIT_MILLIS = 10_000;

    /** Entries of a queue that no longer count are left in it up to so many. */
    private static final int MOST_STALE = 1_000;

    private final InstantSource clock;
    private final Limits limits;
    private final SourceLanes lanes;
    private final Map<String, Entry> entries = new HashMap<>();
    private final PriorityQueue<Due> fresh = new PriorityQueue<>(Comparator.comparingLong(Due::atMillis));
    private final PriorityQueue<Due> backlog = new PriorityQueue<>(Comparator.comparingLong(Due::atMillis));
    private int backlogInHand;
    private int newInARow;
    private boolean closed;

    /** A source that is due at a time. */
    record Due(String source, long atMillis, boolean ofBacklog) {}

    /**
     * What keeps workers free for new intents.
     *
     * @param mostOfBacklog sources of the backlog that workers have at a time
     * @param mostWaiting such sources waiting for a worker, beyond which there is no room for more
     * @param mostLater sources of all kinds, beyond which none is remembered that is due later; twice as many are
     *     remembered at all
     */
    record Limits(int mostOfBacklog, int mostWaiting, int mostLater) {
        /** The backlog takes all there is when nothing else is due. */
        static final Limits NONE = new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE / 2);
    }

    private static final class Entry {
        private long dueMillis = NEVER;
        private boolean inHand;
        private boolean ofBacklog = true;
        private int failures;
    }

    /**
     * A source that a worker has taken.
     *
     * @param ofBacklog whether it belongs to the backlog
     * @param failures drains in a row that failed
     * @param lane of the partition in which it lies
     */
    record Taken(String source, boolean ofBacklog, int failures, KeyRange lane) {}

    /** @param places of each partition among the workers */
    SourceQueue(InstantSource clock, PartitionPlaces places, Limits limits) {
        this.clock = clock;
        this.lanes = new SourceLanes(places);
        this.limits = limits;
    }

    /**
     * Adds a source with a new intent, due at a time in milliseconds.
     *
     * @return false if there was no room for it
     */
    synchronized boolean add(String source, long atMillis) {
        return add(source, atMillis, false);
    }

    /** Adds a source of the backlog; returns false if there was no room for it. */
    synchronized boolean addBacklog(String source, long atMillis) {
        return add(source, atMillis, true);
    }

    private boolean add(String source, long atMillis, boolean ofBacklog) {
        if (!entries.containsKey(source) && !hasRoom(atMillis)) {
            return false;
        }
        var entry = entries.computeIfAbsent(source, key -> new Entry());
        boolean rises = entry.ofBacklog && !ofBacklog;
        if (atMillis < entry.dueMillis || rises) {
            entry.dueMillis = Math.min(atMillis, entry.dueMillis);
            entry.ofBacklog = entry.ofBacklog && ofBacklog;
            enqueue(source, entry);
        }
        return true;
    }

    private boolean hasRoom(long atMillis) {
        return entries.size() < (atMillis > clock.millis() ? limits.mostLater() : 2 * limits.mostLater());
    }

    private void enqueue(String source, Entry entry) {
        if (!entry.inHand && entry.dueMillis != NEVER) {
            var queue = entry.ofBacklog ? backlog : fresh;
            queue.add(new Due(source, entry.dueMillis, entry.ofBacklog));
            if (queue.size() > 2 * entries.size() + MOST_STALE) {
                queue.removeIf(this::isStale);
            }
            notifyAll();
        }
    }

    /** Whether a source is due, is being drained, or failed in its last drain. */
    synchronized boolean hasDueWork() {
        long now = clock.millis();
        return entries.values().stream()
                .anyMatch(entry -> entry.inHand || entry.failures > 0 || entry.dueMillis <= now);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Whether the backlog has room. */
    synchronized boolean hasBacklogRoom() {
        return backlog.size() < limits.mostWaiting();
    }

    /** Waits for a source to be due and takes it; null when the queue was closed. */
    synchronized @Nullable Taken take() throws InterruptedException {
        while (!closed) {
            long now = clock.millis();
            var due = firstDue(now);
            if (due != null) {
                return takeInHand(due);
            }
            long next = Math.min(time(fresh), backlogInHand < limits.mostOfBacklog() ? time(backlog) : NEVER);
            if (next == NEVER) {
                wait();
            } else {
                wait(Math.max(1, next - now));
            }
        }
        return null;
    }

    /** The first whose partition has a place; those before it wait there. */
    private @Nullable Due firstDue(long now) {
        for (var due = pollDue(now); due != null; due = pollDue(now)) {
            var turn = lanes.turn(due);
            if (turn == SourceLanes.Turn.NOW) {
                return due;
            }
            if (turn == SourceLanes.Turn.NEVER) {
                entries.remove(due.source());
            }
        }
        return null;
    }

    private @Nullable Due pollDue(long now) {
        forgetStale(fresh);
        forgetStale(backlog);
        boolean isNewDue = time(fresh) <= now;
        boolean isBacklogDue = backlogInHand < limits.mostOfBacklog() && time(backlog) <= now;
        if (isNewDue && !(isBacklogDue && newInARow >= MOST_NEW_IN_A_ROW)) {
            newInARow++;
            return fresh.poll();
        }
        newInARow = isBacklogDue ? 0 : newInARow;
        return isBacklogDue ? backlog.poll() : null;
    }

    private static long time(PriorityQueue<Due> queue) {
        var first = queue.peek();
        return first == null ? NEVER : first.atMillis();
    }

    /** Those left behind when the source became due earlier, or got a new intent. */
    private void forgetStale(PriorityQueue<Due> queue) {
        for (var first = queue.peek(); first != null && isStale(first); first = queue.peek()) {
            queue.remove();
        }
    }

    private boolean isStale(Due due) {
        var entry = entries.get(due.source());
        return entry == null || entry.inHand || entry.dueMillis != due.atMillis() || entry.ofBacklog != due.ofBacklog();
    }

    private Taken takeInHand(Due due) {
        var entry = Objects.requireNonNull(entries.get(due.source()));
        var taken = new Taken(due.source(), due.ofBacklog(), entry.failures, lanes.enter(due));
        entry.inHand = true;
        entry.dueMillis = NEVER;
        entry.ofBacklog = true;
        backlogInHand += due.ofBacklog() ? 1 : 0;
        notifyAll();
        return taken;
    }

    /**
     * Gives a source back. A source that is due again at once, and was not added meanwhile, belongs to the backlog.
     *
     * @param nextMillis when it is due again, {@link #NEVER} for when it is added again
     * @param hasFailed whether the drain failed for a reason that may pass
     */
    synchronized void giveBack(Taken taken, long nextMillis, boolean hasFailed) {
        backlogInHand -= taken.ofBacklog() ? 1 : 0;
        for (var due : lanes.leave(taken.lane(), this::isStale)) {
            (due.ofBacklog() ? backlog : fresh).add(due);
        }
        notifyAll();
        var entry = entries.get(taken.source());
        if (entry == null) {
            return;
        }
        entry.inHand = false;
        entry.failures = hasFailed ? entry.failures + 1 : 0;
        boolean isLeftOver = nextMillis <= clock.millis() && !hasFailed;
        entry.ofBacklog = entry.ofBacklog && (isLeftOver || taken.ofBacklog());
        boolean isAskedFor = entry.dueMillis != NEVER;
        entry.dueMillis = Math.min(entry.dueMillis, nextMillis);
        if (entry.dueMillis == NEVER || (!isAskedFor && isLeftToSweep(entry))) {
            entries.remove(taken.source());
        } else {
            enqueue(taken.source(), entry);
        }
    }

    /** Those that wait long never take more than half of the backlog, nor more memory than there is for them. */
    private boolean isLeftToSweep(Entry entry) {
        if (entry.dueMillis > clock.millis() && entries.size() > limits.mostLater()) {
            return true;
        }
        return entry.ofBacklog
                && backlog.size() >= limits.mostWaiting() / 2
                && (entry.failures >= MOST_FAILURES || entry.dueMillis - clock.millis() > LONGEST_WAIT_MILLIS);
    }

    /** How many sources are being drained or waiting for their time. */
    synchronized int size() {
        return entries.size();
    }

    /** Entries of the queues, those included that no longer count. */
    synchronized int queued() {
        return fresh.size() + backlog.size();
    }

    /** Ends the queue: {@link #take} returns null from now on. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
