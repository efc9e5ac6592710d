package io.sluice.relay.command;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The fault that keeps commands from being taken, in words for an operator. A step that finds no commands does not end
 * the fault at once: the batch that failed is about to be polled again. Belongs to the consumer's thread.
 */
final class IntakeProblem {
    private static final long QUIET_MILLIS = Duration.ofSeconds(10).toMillis();

    private static final long PARKED_MILLIS = Duration.ofSeconds(15).toMillis();
    private static final int NAMED = 5;

    private final KafkaAccess kafka;
    private final Topics topics;
    private final InstantSource clock;
    private @Nullable String text;
    private long metMillis;

    IntakeProblem(KafkaAccess kafka, Topics topics, InstantSource clock) {
        this.kafka = kafka;
        this.topics = topics;
        this.clock = clock;
    }

    void met(String words) {
        text = words;
        metMillis = clock.millis();
    }

    /** A batch was committed. */
    void over() {
        text = null;
    }

    /** A step succeeded and found no commands. */
    void nothingToDo() {
        if (clock.millis() - metMillis > QUIET_MILLIS) {
            text = null;
        }
    }

    /** Null when there is no fault. */
    @Nullable
    String text() {
        return text;
    }

    /** The commands topic. */
    String topic() {
        return topics.commands();
    }

    /**
     * Says which commands are parked: once that has lasted a while, or a partition has no room for more. Null when
     * there is nothing to say.
     */
    @Nullable
    String describeParked(ParkedCommands parked) {
        long oldest = parked.count() == 0 ? 0 : clock.millis() - parked.oldestMillis();
        if (oldest < PARKED_MILLIS && parked.full().isEmpty()) {
            return null;
        }
        var instances = parked.queues().stream()
                .filter(queue -> !queue.waiting().isEmpty())
                .map(ParkedQueue::instance)
                .toList();
        var named = String.join(", ", instances.subList(0, Math.min(NAMED, instances.size())));
        var standing = parked.full().stream()
                .map(partition -> String.valueOf(partition.partition()))
                .sorted()
                .collect(Collectors.joining(","));
        return parked.count() + " are parked, for " + instances.size() + " instances whose part of the store does not"
                + " take them, the first for " + oldest / 1000 + " s (" + named
                + (instances.size() > NAMED ? ", ..." : "") + ")"
                + (standing.isEmpty() ? "" : "; partitions " + standing + " pause, as they have no room to park more");
    }

    /** Says what happened to partitions whose next commands have expired, and how to go on. */
    String describeLoss(Set<TopicPartition> lost) {
        var places = lost.stream()
                .map(TopicPartition::partition)
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        return "partitions " + places
                + " stand, their next commands were deleted by the topic's retention before they were taken;"
                + " decide where to go on: stop all relays, as the group must be empty for it, then kafka-consumer-groups"
                + " --bootstrap-server " + kafka.bootstrapServers() + " --reset-offsets --group "
                + topics.commandsGroup() + " --topic " + topics.commands() + ":" + places
                + " --to-earliest --execute";
    }
}
