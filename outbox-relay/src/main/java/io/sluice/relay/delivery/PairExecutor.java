package io.sluice.relay.delivery;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.loop.Threads;
import io.sluice.relay.partition.PartitionPlaces;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which pairs are delivered: pairs with new intents before pairs of the backlog, each kind in the order
 * of arrival. What goes to one physical partition of the store holds only its share of the threads; the rest of it
 * waits, and holds none. Thread-safe.
 */
final class PairExecutor implements AutoCloseable {
    private static final Comparator<Task> ORDER =
            Comparator.comparing(Task::ofBacklog).thenComparingLong(Task::number);

    private static final ThreadLocal<@Nullable Running> RUNNING = new ThreadLocal<>();
    /** What may wait for a slow partition, for each of its places. */
    private static final int MOST_WAITING = 8;

    private final ThreadPoolExecutor threads;
    private final PartitionPlaces places;
    private final Duration drainTimeout;
    private final Map<KeyRange, PairLane> lanes = new HashMap<>();
    private long count;
    private int changesSeen;
    private boolean closed;

    private record Task(String target, Runnable work, boolean ofBacklog, long number, long nanos) implements Runnable {
        @Override
        public void run() {
            work.run();
        }
    }

    /** What goes to one partition. */
    private static final class PairLane {
        private final Queue<Task> waiting = new PriorityQueue<>(ORDER);
        private final Map<Task, Long> startedNanos = new LinkedHashMap<>();
        private long movedNanos;
    }

    /** What a thread does now. */
    private record Running(PairLane lane, Task task) {}

    PairExecutor(PartitionPlaces places, Duration drainTimeout) {
        this.places = places;
        this.drainTimeout = drainTimeout;
        int size = places.threads();
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                0,
                TimeUnit.MILLISECONDS,
                new PriorityBlockingQueue<>(size, Comparator.comparing(Task.class::cast, ORDER)),
                Threads.named("sluice-pair"));
    }

    /** For the pairs of sources with new intents. */
    PairThreads forNew() {
        return new Threading(false);
    }

    /** For the pairs of sources of the backlog. */
    PairThreads forBacklog() {
        return new Threading(true);
    }

    private final class Threading implements PairThreads {
        private final boolean ofBacklog;

        private Threading(boolean ofBacklog) {
            this.ofBacklog = ofBacklog;
        }

        @Override
        public void run(String target, Runnable work) {
            submit(target, ofBacklog, work);
        }

        @Override
        public void moved() {
            PairExecutor.this.moved();
        }

        @Override
        public Pace pace(String target) {
            var pace = paceOf(places.of(target));
            if (pace != Pace.GOOD) {
                places.partitions().readAgain();
            }
            return pace;
        }
    }

    private synchronized void submit(String target, boolean ofBacklog, Runnable work) {
        if (closed) {
            // The store keeps the intents: the next start finds them.
            return;
        }
        submit(new Task(target, work, ofBacklog, ++count, System.nanoTime()));
    }

    private void submit(Task task) {
        var partition = places.of(task.target());
        var lane = lanes.computeIfAbsent(partition, range -> new PairLane());
        lane.waiting.add(task);
        startNext(partition, lane);
    }

    private void startNext(KeyRange partition, PairLane lane) {
        while (!closed && lane.startedNanos.size() < places.most() && !lane.waiting.isEmpty()) {
            var next = lane.waiting.remove();
            lane.movedNanos = System.nanoTime();
            lane.startedNanos.put(next, lane.movedNanos);
            threads.execute(new Task(
                    next.target(), () -> runIn(partition, lane, next), next.ofBacklog(), next.number(), next.nanos()));
        }
    }

    private void runIn(KeyRange partition, PairLane lane, Task task) {
        RUNNING.set(new Running(lane, task));
        try {
            moved();
            task.run();
        } finally {
            RUNNING.remove();
            leave(partition, lane, task);
        }
    }

    private void moved() {
        var now = RUNNING.get();
        if (now != null) {
            moved(now);
        }
    }

    private synchronized void moved(Running now) {
        now.lane().movedNanos = System.nanoTime();
        // The oldest stays the first.
        now.lane().startedNanos.remove(now.task());
        now.lane().startedNanos.put(now.task(), now.lane().movedNanos);
    }

    private synchronized void leave(KeyRange partition, PairLane lane, Task task) {
        lane.startedNanos.remove(task);
        lane.movedNanos = System.nanoTime();
        startNext(partition, lane);
        if (lane.startedNanos.isEmpty() && lane.waiting.isEmpty()) {
            lanes.remove(partition);
        }
    }

    private synchronized PairThreads.Pace paceOf(KeyRange partition) {
        moveOnIfSplit();
        var lane = lanes.get(partition);
        if (lane == null || lane.startedNanos.isEmpty()) {
            return PairThreads.Pace.GOOD;
        }
        long now = System.nanoTime();
        var next = lane.waiting.peek();
        long waitedNanos = next == null ? 0 : now - next.nanos();
        boolean isFull = lane.startedNanos.size() >= places.most();
        boolean isLong = lane.waiting.size() > MOST_WAITING * places.most();
        if ((isFull && now - lane.movedNanos > PairThreads.SLOW_NANOS)
                || (isLong && waitedNanos > 2 * PairThreads.SLOW_NANOS)) {
            return PairThreads.Pace.STUCK;
        }
        long oldest = lane.startedNanos.values().iterator().next();
        return Math.max(waitedNanos, now - oldest) > PairThreads.SLOW_NANOS
                ? PairThreads.Pace.SLOW
                : PairThreads.Pace.GOOD;
    }

    /** What waits for a partition that was split meanwhile goes to the parts. */
    private void moveOnIfSplit() {
        int changes = places.partitions().changes();
        if (changes == changesSeen) {
            return;
        }
        changesSeen = changes;
        var former = lanes.entrySet().stream()
                .filter(lane -> !places.partitions().has(lane.getKey())
                        && !lane.getValue().waiting.isEmpty())
                .map(Map.Entry::getValue)
                .toList();
        for (var lane : former) {
            var tasks = List.copyOf(lane.waiting);
            lane.waiting.clear();
            tasks.forEach(this::submit);
        }
    }

    /** Takes no new pairs, and waits for the pairs under way. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        Threads.drain(threads, drainTimeout);
    }
}
