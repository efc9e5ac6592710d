package io.sluice.relay.topic;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.log.LogKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates topics, and asks the cluster before whether it would refuse one or one would not be writable. (A topic's
 * replicas and {@code min.insync.replicas} may both be defaults of the broker, which need not fit each other.) One is
 * for topics that are created together; not thread-safe.
 */
final class TopicCreator {
    private static final Logger LOG = LoggerFactory.getLogger(TopicCreator.class);

    private final Admin admin;
    private final TopicRules rules;
    private final List<String> made = new ArrayList<>();

    TopicCreator(Admin admin, TopicRules rules) {
        this.admin = admin;
        this.rules = rules;
    }

    NewTopic planned(String name, TopicContract contract, int partitions) {
        var settings = new HashMap<>(contract.storage().settings());
        if (rules.minInSync() > 0) {
            settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(rules.minInSync()));
        }
        return new NewTopic(name, partitions, (short) rules.replicas()).configs(settings);
    }

    /**
     * Creates topics and returns when brokers lead all of their partitions; one that was created by others meanwhile is
     * left as it is. What was created stays if a later one can't be: others may use it already.
     *
     * @throws PrerequisiteException naming the topic that can't be created, and those that were created before
     */
    void create(List<NewTopic> topics) {
        for (var topic : topics) {
            try {
                create(topic);
            } catch (PrerequisiteException e) {
                throw made.isEmpty()
                        ? e
                        : new PrerequisiteException(
                                message(e) + "; created before it, and left for the next try: "
                                        + String.join(", ", made),
                                e.getCause());
            }
        }
        if (!topics.isEmpty()) {
            awaitLeaders(topics);
        }
    }

    /**
     * Of two records sent to a partition that its broker does not lead yet, the first may be refused and the second
     * stored; then the first one's retries fail until its delivery times out (KAFKA-15591).
     */
    private void awaitLeaders(List<NewTopic> topics) {
        new TopicReader(admin)
                .awaitLeaders(topics.stream()
                        .flatMap(topic -> IntStream.range(0, topic.numPartitions())
                                .mapToObj(partition -> new TopicPartition(topic.name(), partition)))
                        .collect(Collectors.toSet()));
    }

    /** Why topics can't be created, or could not be written to; asks the cluster, and creates none. */
    List<String> faults(List<NewTopic> topics) {
        var answered = admin.createTopics(topics, new CreateTopicsOptions().validateOnly(true));
        return topics.stream()
                .map(NewTopic::name)
                .sorted()
                .flatMap(name -> fault(name, answered).stream())
                .toList();
    }

    private static Optional<String> fault(String topic, CreateTopicsResult answered) {
        try {
            TopicReader.answer(
                    "create topic " + topic,
                    Objects.requireNonNull(answered.values().get(topic)));
        } catch (PrerequisiteException e) {
            return e.getCause() instanceof TopicExistsException ? Optional.empty() : Optional.of(message(e));
        }
        return unwritable(topic, answered);
    }

    private static Optional<String> unwritable(String topic, CreateTopicsResult answered) {
        int replicas;
        int inSync;
        try {
            var what = "ask how topic " + topic + " would be created";
            replicas = TopicReader.answer(what, answered.replicationFactor(topic));
            var entry = TopicReader.answer(what, answered.config(topic)).get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
            inSync = entry == null || entry.value() == null ? 1 : Integer.parseInt(entry.value());
        } catch (PrerequisiteException e) {
            // A user with the right to create topics may lack the right to see their settings.
            LOG.atDebug()
                    .addKeyValue(LogKeys.TOPIC, topic)
                    .setCause(e)
                    .log("Kafka did not say how it would create a topic");
            return Optional.empty();
        }
        if (inSync <= replicas) {
            return Optional.empty();
        }
        return Optional.of(
                "topic " + topic + " would be created with " + replicas + " replicas and min.insync.replicas="
                        + inSync + ", so it could not be written to; set SLUICE_TOPIC_REPLICATION=" + inSync
                        + " or more, or SLUICE_TOPIC_MIN_INSYNC_REPLICAS=" + replicas);
    }

    private static String message(PrerequisiteException fault) {
        return Stream.ofNullable(fault.getMessage()).findFirst().orElse("can't create a topic");
    }

    private void create(NewTopic topic) {
        try {
            TopicReader.answer(
                    "create topic " + topic.name(),
                    admin.createTopics(List.of(topic)).all());
            made.add(topic.name());
            LOG.atInfo()
                    .addKeyValue(LogKeys.TOPIC, topic.name())
                    .addKeyValue(LogKeys.COUNT, topic.numPartitions())
                    .log("topic created");
        } catch (PrerequisiteException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
            LOG.atDebug().addKeyValue(LogKeys.TOPIC, topic.name()).log("another replica created the topic first");
        }
    }
}
