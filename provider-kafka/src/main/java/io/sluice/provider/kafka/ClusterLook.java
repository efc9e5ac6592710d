package io.sluice.provider.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a cluster has of what a feed needs.
 *
 * @param shareGroups whether its brokers have share groups
 * @param topics those that exist, by name
 */
record ClusterLook(boolean shareGroups, Map<String, TopicState> topics) {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLook.class);
    private static final String SHARE_FEATURE = "share.version";

    ClusterLook {
        topics = Map.copyOf(topics);
    }

    /**
     * Asks the brokers.
     *
     * @throws KafkaException when they do not answer, or refuse
     */
    static ClusterLook at(Admin admin, Set<String> wanted) throws InterruptedException {
        FinalizedVersionRange range = BrokerAnswers.await(
                        admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get(SHARE_FEATURE);
        return new ClusterLook(range != null && range.maxVersionLevel() > 0, topics(admin, wanted));
    }

    private static Map<String, TopicState> topics(Admin admin, Set<String> wanted) throws InterruptedException {
        Map<String, TopicState> found = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> answer :
                admin.describeTopics(wanted).topicNameValues().entrySet()) {
            try {
                TopicDescription topic = BrokerAnswers.await(answer.getValue());
                found.put(
                        answer.getKey(),
                        new TopicState(
                                answer.getKey(),
                                topic.topicId(),
                                topic.partitions().size()));
            } catch (UnknownTopicOrPartitionException e) {
                LOG.atTrace().setCause(e).log("a topic does not exist yet");
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
