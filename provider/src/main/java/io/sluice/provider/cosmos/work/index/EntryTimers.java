package io.sluice.provider.cosmos.work.index;

import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** Times at which something is to be done about an entry, unless it has changed its state by then. */
final class EntryTimers {
    private static final int FEW = 1_000;

    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::atMillis).thenComparingLong(Timer::number));
    private long number;
    private int compactAt = FEW;

    private record Timer(long atMillis, long number, WorkEntry entry, int stamp) {
        boolean isCurrent() {
            return entry.stamp() == stamp;
        }
    }

    void add(WorkEntry entry, long atMillis) {
        timers.add(new Timer(atMillis, number++, entry, entry.stamp()));
        if (timers.size() > compactAt) {
            timers.removeIf(timer -> !timer.isCurrent());
            compactAt = Math.max(FEW, 2 * timers.size());
        }
    }

    /** Takes the first entry whose time has come. */
    Optional<WorkEntry> takeDue(long nowMillis) {
        for (Timer first = timers.peek(); first != null && first.atMillis() <= nowMillis; first = timers.peek()) {
            timers.remove();
            if (first.isCurrent()) {
                return Optional.of(first.entry());
            }
        }
        return Optional.empty();
    }

    /** When the first time comes; of one that is outdated at worst too early. */
    long next() {
        Timer first = timers.peek();
        while (first != null && !first.isCurrent()) {
            timers.remove();
            first = timers.peek();
        }
        return first == null ? Long.MAX_VALUE : first.atMillis();
    }
}
