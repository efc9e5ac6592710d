package io.sluice.relay.topic;

import io.sluice.relay.contract.TopicCatalogue;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names the relay uses in Kafka, all made from one prefix, so that several stores can share a Kafka.
 *
 * @param prefix begins every topic, group and transactional id
 */
public record Topics(String prefix) {
    /** Lifecycle events, key = instance id. */
    public String history() {
        return TopicCatalogue.HISTORY.name(prefix);
    }

    /** Where the reading of each key range stands; compacted, one partition per range. */
    public String positions() {
        return TopicCatalogue.POSITIONS.name(prefix);
    }

    /** Commands to orchestrations, key = instance id. */
    public String commands() {
        return TopicCatalogue.COMMANDS.name(prefix);
    }

    /** What failed for good, with its reason. */
    public String deadLetters() {
        return TopicCatalogue.DEAD_LETTERS.name(prefix);
    }

    /** Where history is published once more, when nothing else is said. */
    public String replay() {
        return TopicCatalogue.REPLAY.name(prefix);
    }

    /**
     * Whether this topic is one of the relay's own, whose promises others rely on, or one in which its streams keep
     * what they know.
     */
    public boolean isOwn(String topic) {
        return topic.startsWith(streamsApplication() + "-")
                || TopicCatalogue.OWN.stream()
                        .anyMatch(contract -> contract.name(prefix).equals(topic));
    }

    /** Business facts, key = instance id. */
    public String lifecycle() {
        return TopicCatalogue.LIFECYCLE.name(prefix);
    }

    /** The last state of each instance; compacted, key = instance id. */
    public String status() {
        return TopicCatalogue.STATUS.name(prefix);
    }

    /** What the instances of each orchestration did in each window; compacted. */
    public String statistics() {
        return TopicCatalogue.STATISTICS.name(prefix);
    }

    /** Running instances of which nothing is heard; compacted, key = instance id. */
    public String stuck() {
        return TopicCatalogue.STUCK.name(prefix);
    }

    /** Names the streams application: its group, its changelogs and its transactional ids begin with it. */
    public String streamsApplication() {
        return prefix + "-streams";
    }

    /** In which the streams keep what they know; made by themselves. */
    public List<String> keptByStreams() {
        return Stream.of(
                        "instances-changelog",
                        "silence-changelog",
                        "statistics-changelog",
                        "by-orchestration-repartition")
                .map(topic -> streamsApplication() + "-" + topic)
                .toList();
    }

    /** The group that shares out the key ranges. */
    public String historyGroup() {
        return prefix + "-history";
    }

    /** The group that shares out the partitions of the commands topic. */
    public String commandsGroup() {
        return prefix + "-commands";
    }

    /** Begins the ids of the leases in Cosmos by which replicas share the feed of intents. */
    public String leasePrefix() {
        return prefix + "-intents-";
    }

    /** The one transactional id that ever writes a range's position. */
    public String historyTransactionalId(int range) {
        return prefix + "-history-" + range;
    }

    /** The one transactional id under which rejected commands are sent again. */
    public String resendTransactionalId() {
        return prefix + "-resend";
    }
}
