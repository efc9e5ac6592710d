package io.sluice.provider.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * What a cluster has of what a feed needs.
 *
 * @param shareGroups whether its brokers have share groups
 * @param topics those that exist, by name
 */
record ClusterState(boolean shareGroups, Map<String, TopicState> topics) {
    private static final String SHARE_FEATURE = "share.version";

    ClusterState {
        topics = Map.copyOf(topics);
    }

    /**
     * Asks the brokers.
     *
     * @throws KafkaException when they do not answer, or refuse
     */
    static ClusterState at(Admin admin, Set<String> wanted) throws InterruptedException {
        try {
            FinalizedVersionRange range = FeedClients.answer(
                            admin.describeFeatures().featureMetadata())
                    .finalizedFeatures()
                    .get(SHARE_FEATURE);
            return new ClusterState(range != null && range.maxVersionLevel() > 0, topics(admin, wanted));
        } catch (ExecutionException e) {
            throw FeedClients.failure(e);
        }
    }

    private static Map<String, TopicState> topics(Admin admin, Set<String> wanted)
            throws InterruptedException, ExecutionException {
        Map<String, TopicState> found = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> answer :
                admin.describeTopics(wanted).topicNameValues().entrySet()) {
            try {
                TopicDescription topic = FeedClients.answer(answer.getValue());
                found.put(
                        answer.getKey(),
                        new TopicState(
                                answer.getKey(),
                                topic.topicId(),
                                topic.partitions().size()));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        }
        return found;
    }

    /** The names of those that do not exist. */
    Set<String> missing(Set<String> wanted) {
        Set<String> missing = new TreeSet<>(wanted);
        missing.removeAll(topics.keySet());
        return missing;
    }
}
