package io.sluice.relay.topic;

import io.sluice.relay.contract.TopicCatalogue;
import java.util.List;

/**
 * The names that the relay uses in Kafka. All begin with one prefix, so that several stores can share a cluster.
 *
 * @param prefix begins every topic, group and transactional id
 */
public record Topics(String prefix) {
    /** Lifecycle events, key = instance id. */
    public String history() {
        return TopicCatalogue.HISTORY.name(prefix);
    }

    /** The position of each key range; compacted, one partition per range. */
    public String positions() {
        return TopicCatalogue.POSITIONS.name(prefix);
    }

    /** Commands to orchestrations, key = instance id. */
    public String commands() {
        return TopicCatalogue.COMMANDS.name(prefix);
    }

    /** Commands that the store does not take now; compacted, key = place of the command. */
    public String parkedCommands() {
        return TopicCatalogue.PARKED_COMMANDS.name(prefix);
    }

    /** Pulses of the replicas, key = a replica's name. */
    public String relays() {
        return TopicCatalogue.RELAYS.name(prefix);
    }

    /** Intents and commands that failed permanently, with the reason. */
    public String deadLetters() {
        return TopicCatalogue.DEAD_LETTERS.name(prefix);
    }

    /** Announcements of messages to instances, key = instance id. */
    public String workTurns() {
        return TopicCatalogue.WORK_TURNS.name(prefix);
    }

    /** Announcements of activities, key = document id. */
    public String workActivities() {
        return TopicCatalogue.WORK_ACTIVITIES.name(prefix);
    }

    /** That each range is announced; compacted, key = index of the range. */
    public String workPulse() {
        return TopicCatalogue.WORK_PULSE.name(prefix);
    }

    /** The default topic of a replay. */
    public String replay() {
        return TopicCatalogue.REPLAY.name(prefix);
    }

    /**
     * Whether this topic is one of the relay's own, whose guarantees consumers rely on, or an internal topic of its
     * streams.
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

    /** Counts and durations of each orchestration in each window; compacted. */
    public String statistics() {
        return TopicCatalogue.STATISTICS.name(prefix);
    }

    /** Running instances without recent events; compacted, key = instance id. */
    public String stuck() {
        return TopicCatalogue.STUCK.name(prefix);
    }

    /** The id of the streams application, with which its group, changelogs and transactional ids begin. */
    public String streamsApplication() {
        return prefix + "-streams";
    }

    /** The internal topics of the streams, created by Kafka Streams. */
    public List<String> keptByStreams() {
        return TopicCatalogue.STREAMS_INTERNAL.stream()
                .map(suffix -> prefix + suffix)
                .toList();
    }

    /** The consumer group that distributes the key ranges. */
    public String historyGroup() {
        return prefix + "-history";
    }

    /** The consumer group of the commands topic. */
    public String commandsGroup() {
        return prefix + "-commands";
    }

    /**
     * The one transactional id that ever writes a range's position, but for its first.
     *
     * @param range its key in the positions topic
     */
    public String historyTransactionalId(String range) {
        return prefix + "-history-" + range;
    }

    /** The one transactional id under which rejected commands are sent again. */
    public String resendTransactionalId() {
        return prefix + "-resend";
    }
}
