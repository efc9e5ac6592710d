package io.sluice.durabletask.conformance;

import io.sluice.durabletask.wire.Protocol.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Work items that a worker has got and a test has not looked at. Thread-safe. */
final class Inbox {
    private final List<WorkItem> items = new ArrayList<>();
    private int got;

    synchronized void put(WorkItem item) {
        items.add(item);
        got++;
        notifyAll();
    }

    /** Takes the first item that is wanted, and waits for it. */
    synchronized Optional<WorkItem> take(Predicate<WorkItem> wanted, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            Iterator<WorkItem> each = items.iterator();
            while (each.hasNext()) {
                WorkItem item = each.next();
                if (wanted.test(item)) {
                    each.remove();
                    return Optional.of(item);
                }
            }
            long millis = Math.floorDiv(end - System.nanoTime(), 1_000_000L);
            if (millis <= 0) {
                return Optional.empty();
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                throw new AssertionError("the test was interrupted", e);
            }
        }
    }

    synchronized List<WorkItem> content() {
        return List.copyOf(items);
    }

    /** How many items have come, taken or not. */
    synchronized int got() {
        return got;
    }
}
