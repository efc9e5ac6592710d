package io.sluice.client.lifecycle;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** Why a broker has no event at an offset. */
final class OutOfRange {
    private static final String REMEDY = "decide where to go on with kafka-consumer-groups --reset-offsets";

    private OutOfRange() {}

    /**
     * What was lost, in words, with the remedy; empty when nothing was: a broker that has just become the leader, or
     * has just made the topic, may not know what it holds, and is to be asked again.
     *
     * @param asked by partition
     * @param first offsets that are still there
     * @param end offsets of the next events
     */
    static Optional<String> lost(
            Map<TopicPartition, Long> asked, Map<TopicPartition, Long> first, Map<TopicPartition, Long> end) {
        var deleted = where(asked, first, (offset, earliest) -> offset < earliest);
        if (!deleted.isEmpty()) {
            return Optional.of(
                    "events of " + deleted + " were deleted by the topic's retention before they were read; " + REMEDY);
        }
        var cut = where(asked, end, (offset, next) -> offset > next);
        return cut.isEmpty()
                ? Optional.empty()
                : Optional.of(cut
                        + " ends before what was read already: it was deleted and created again, or lost its records; "
                        + REMEDY);
    }

    private static Set<TopicPartition> where(
            Map<TopicPartition, Long> asked, Map<TopicPartition, Long> bounds, BiPredicate<Long, Long> beyond) {
        return asked.entrySet().stream()
                .filter(each -> beyond.test(each.getValue(), bounds.getOrDefault(each.getKey(), each.getValue())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
