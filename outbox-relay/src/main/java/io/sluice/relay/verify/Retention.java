package io.sluice.relay.verify;

import io.sluice.relay.kafka.KeyPartition;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What of the topic's past may be gone: an event that has no record may have had one. A partition loses its records
 * from its beginning, also while it is read.
 *
 * @param partitions what is known of each
 * @param isGrown whether a record lies in another partition than its key belongs to: the topic had fewer once
 */
record Retention(Map<Integer, Known> partitions, boolean isGrown) {
    /** Nothing that is looked for is gone. */
    static final long NOTHING = Long.MIN_VALUE;

    /** All that was ever published may be gone. */
    static final long ALL = Long.MAX_VALUE;

    /**
     * What is known of a partition.
     *
     * @param untilSecond events written until then may be gone (the store's time, seconds since 1970); {@link #NOTHING}
     *     and {@link #ALL} are the ends
     * @param wholeFrom the offset from which every record was read
     */
    record Known(long untilSecond, long wholeFrom) {}

    Retention {
        partitions = Map.copyOf(partitions);
    }

    /** The same, where partitions that never lost a record begin with the first event that was published. */
    Retention beginningWith(long firstSecond) {
        var all = new HashMap<>(partitions);
        all.replaceAll(
                (partition, known) -> known.equals(PublishedHistory.WHOLE) ? new Known(firstSecond - 1, 0) : known);
        return new Retention(all, isGrown);
    }

    /** Whether the record of an event may have been removed. */
    boolean mayHaveTaken(String instance, long writtenSecond) {
        return isGrown
                ? partitions.values().stream().anyMatch(known -> writtenSecond <= known.untilSecond())
                : writtenSecond <= at(home(instance)).untilSecond();
    }

    /** Whether a record proves that what was published behind it is there. */
    boolean provesWhatFollows(PublishedEntry entry) {
        return entry.partition() == home(entry.instance())
                && entry.offset() >= at(entry.partition()).wholeFrom();
    }

    private Known at(int partition) {
        return partitions.getOrDefault(partition, new Known(ALL, Long.MAX_VALUE));
    }

    private int home(String instance) {
        return home(instance, partitions.size());
    }

    /** The partition that Kafka's producers choose for a key. */
    static int home(String instance, int partitions) {
        return KeyPartition.of(instance.getBytes(StandardCharsets.UTF_8), partitions);
    }
}
