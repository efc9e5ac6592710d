package io.sluice.relay.topic;

/**
 * How missing topics are created, and which settings existing ones must have.
 *
 * @param mayCreate whether missing topics are created
 * @param partitions of the history, commands and dead letter topics
 * @param replicas of all topics; -1 for the broker's default
 * @param minInSync the least {@code min.insync.replicas} of all topics; -1 leaves it to the broker
 */
public record TopicRules(boolean mayCreate, int partitions, int replicas, int minInSync) {
    /** The same for somebody who may create topics, or may not. */
    TopicRules mayCreate(boolean may) {
        return new TopicRules(may, partitions, replicas, minInSync);
    }
}
