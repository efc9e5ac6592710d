package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Scans the states of a replica for one request, in the order of their ids. It ends when it has found or read enough,
 * or its time is over, and returns the id that it reached, from which the next request continues. In each partition it
 * reads at least one state. Used by one thread.
 */
final class InstanceScan {
    /** States that one request reads, of all replicas together; a few hundred milliseconds of work. */
    static final int MOST_READ = 10_000;
    /** For what one replica reads. */
    static final Duration LONGEST = Duration.ofSeconds(1);

    /** States are ordered by the bytes of their ids. */
    private static final Comparator<String> BY_ID = (one, other) ->
            Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

    private final InteractiveQueries.InstanceFilter choice;
    private final int mostRead;
    private final LongSupplier nanoTime;
    private final long startedNanos;
    private final int partitionsHere;
    private int partitionsRead;

    /**
     * Begins now.
     *
     * @param allPartitions that share what may be read
     * @param partitionsHere that share the time
     */
    InstanceScan(
            InteractiveQueries.InstanceFilter choice, int allPartitions, int partitionsHere, LongSupplier nanoTime) {
        this.choice = choice;
        this.mostRead = Math.max(1, MOST_READ / Math.max(1, allPartitions));
        this.partitionsHere = partitionsHere;
        this.nanoTime = nanoTime;
        this.startedNanos = nanoTime.getAsLong();
    }

    /** Reads a partition until one of the limits is reached. */
    InteractiveQueries.PartialList<InstanceStatus> read(
            int partition, ReadOnlyKeyValueStore<String, InstanceState> store) {
        partitionsRead++;
        var found = new ArrayList<InstanceStatus>();
        String reached = null;
        int read = 0;
        try (var states = store.range(choice.after(), null)) {
            while (states.hasNext()) {
                if (reached != null && (found.size() >= choice.limit() || read >= mostRead || isLate())) {
                    return new InteractiveQueries.PartialList<>(Set.of(partition), found, reached);
                }
                var next = states.next();
                read++;
                if (next.key.equals(choice.after())) {
                    continue;
                }
                reached = next.key;
                if (choice.matches(next.value.status())) {
                    found.add(next.value.status());
                }
            }
        }
        return new InteractiveQueries.PartialList<>(Set.of(partition), found, null);
    }

    /** A partition may also use the time that earlier ones left. */
    private boolean isLate() {
        return nanoTime.getAsLong() - startedNanos > LONGEST.toNanos() / partitionsHere * partitionsRead;
    }

    /** The lesser of two ids; null is the end. */
    static @Nullable String nearer(@Nullable String one, @Nullable String other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return BY_ID.compare(one, other) <= 0 ? one : other;
    }

    /**
     * The first page of the instances that all partitions found. Instances beyond the id that all partitions have
     * reached come with a later page.
     */
    static InteractiveQueries.Page page(InteractiveQueries.PartialList<InstanceStatus> held, int limit) {
        var reached = held.reached();
        var all = held.values().stream()
                .filter(status -> reached == null || BY_ID.compare(status.instance(), reached) <= 0)
                .sorted(Comparator.comparing(InstanceStatus::instance, BY_ID))
                .toList();
        if (all.size() < limit) {
            return new InteractiveQueries.Page(all, reached);
        }
        List<InstanceStatus> first = all.subList(0, limit);
        return new InteractiveQueries.Page(first, first.get(limit - 1).instance());
    }
}
