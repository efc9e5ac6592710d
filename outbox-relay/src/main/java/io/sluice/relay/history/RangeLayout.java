package io.sluice.relay.history;

import io.sluice.relay.feed.KeyRange;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The ranges in the partitions of the positions topic that this replica is assigned, as their records say. A range is
 * known with its first position, and is none any more when it was split. Used by one thread.
 */
final class RangeLayout {
    private final Map<Integer, Map<KeyRange, Position>> read = new HashMap<>();
    private final Set<Integer> upToDate = new HashSet<>();

    /** Partitions are assigned, which will be read from their beginning. */
    void assigned(Collection<Integer> partitions) {
        removed(partitions);
        partitions.forEach(partition -> read.put(partition, new HashMap<>()));
    }

    /** Partitions are not assigned any more. */
    void removed(Collection<Integer> partitions) {
        read.keySet().removeAll(partitions);
        upToDate.removeAll(partitions);
    }

    /**
     * Takes a record. One without a value removes no range: who publishes it is told when it reads its position, and
     * not by silence.
     */
    void take(ConsumerRecord<byte[], byte[]> message) {
        var ranges = read.get(message.partition());
        if (ranges != null && message.value() != null) {
            Position.parse(message.value()).ifPresent(position -> ranges.put(position.bounds(), position));
        }
    }

    /** A partition was read to its end: until then a range may seem to be one that has ended since. */
    void reachedEnd(int partition) {
        if (read.containsKey(partition)) {
            upToDate.add(partition);
        }
    }

    /** Whether a partition was read to its end once. */
    boolean isUpToDate(int partition) {
        return upToDate.contains(partition);
    }

    /** The ranges that have not ended, of partitions that were read to their end. */
    List<RangeId> active() {
        return upToDate.stream()
                .flatMap(partition -> read.getOrDefault(partition, Map.of()).values().stream())
                .filter(position -> !position.ended())
                .map(Position::range)
                .toList();
    }
}
