package io.sluice.relay.history;

import io.sluice.relay.feed.KeyRange;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The newest position of each range, as a reader of the topic has seen them.
 *
 * @param newest of each range; those that have ended included
 * @param earlier positions in the form of releases that cut the key space into a fixed number of ranges
 * @param partitions of the topic
 * @param isComplete false if a transaction that is still open may hide some
 */
record Positions(List<Position> newest, List<Position> earlier, int partitions, boolean isComplete) {
    /** Collects positions. Used by one thread. */
    static final class Reader {
        /** Keys of earlier releases; those that were converted have no value any more. */
        private static final String EARLIER_KEY = "range-";

        private final int partitions;
        private final Map<String, Position> newest = new HashMap<>();
        private final Map<String, Position> earlier = new HashMap<>();

        Reader(int partitions) {
            this.partitions = partitions;
        }

        /** Takes a record, which without a value removes a position; returns false if it is none. */
        boolean take(ConsumerRecord<byte[], byte[]> message) {
            if (message.key() == null) {
                return false;
            }
            var key = new String(message.key(), StandardCharsets.UTF_8);
            if (message.value() == null) {
                return newest.remove(key) != null || earlier.remove(key) != null || key.startsWith(EARLIER_KEY);
            }
            var position = Position.parse(message.value());
            if (position.isPresent()) {
                newest.put(key, position.get());
                return true;
            }
            var old = Position.parseEarlier(message.value(), partitions);
            old.ifPresent(each -> earlier.put(key, each));
            return old.isPresent();
        }

        Positions positions(boolean isComplete) {
            return new Positions(List.copyOf(newest.values()), List.copyOf(earlier.values()), partitions, isComplete);
        }
    }

    /** The positions of the ranges that have not ended, in the order of the key space. */
    List<Position> active() {
        return newest.stream()
                .filter(position -> !position.ended())
                .sorted(Comparator.comparing(Position::min).thenComparing(Position::max))
                .toList();
    }

    /** Parts of the key space without a position that has not ended. */
    List<KeyRange> gaps() {
        return KeyRange.gaps(active().stream().map(Position::bounds).toList());
    }

    /** Whether the ranges that have not ended are the whole key space, each part of it once. */
    boolean tileKeySpace() {
        var active = active();
        return KeyRange.gaps(active.stream().map(Position::bounds).toList()).isEmpty()
                && IntStream.range(1, active.size())
                        .noneMatch(i -> active.get(i - 1)
                                .bounds()
                                .overlaps(active.get(i).bounds()));
    }
}
