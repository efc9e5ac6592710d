package io.sluice.relay.topic;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.StopRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads which topics a cluster has, and their partitions and settings. Every request waits for its answer, at most 15
 * seconds.
 */
public final class TopicReader {
    private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);
    private static final long TIMEOUT_SECONDS = 15;
    private static final int TRIES = 300;
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final Admin admin;

    public TopicReader(Admin admin) {
        this.admin = admin;
    }

    /** The names of all topics. */
    Set<String> names() {
        return answer("list the topics", admin.listTopics().names());
    }

    /** The number of brokers in the cluster. */
    int brokers() {
        return answer("describe the cluster", admin.describeCluster().nodes()).size();
    }

    /** The number of partitions of a topic; 0 if there is no such topic. */
    public int partitions(String topic) {
        return names().contains(topic) ? partitionsOfExisting(topic) : 0;
    }

    /** The number of partitions of a topic that exists. */
    int partitionsOfExisting(String topic) {
        return Optional.ofNullable(awaitDescriptions(Set.of(topic)).get(topic))
                .orElseThrow(() -> new PrerequisiteException("can't describe topic " + topic, null))
                .partitions()
                .size();
    }

    /** Kafka's id of a topic that exists, perhaps since a moment ago; it changes when the topic is made again. */
    public String id(String topic) {
        return Optional.ofNullable(awaitDescriptions(Set.of(topic)).get(topic))
                .orElseThrow(() -> new PrerequisiteException("can't describe topic " + topic, null))
                .topicId()
                .toString();
    }

    /**
     * Describes topics; tries again for as long as it waits for an answer, as a busy broker may not know a topic for a
     * while after its creation.
     */
    Map<String, TopicDescription> awaitDescriptions(Set<String> names) {
        var pause = new StopRequest();
        var found = describe(names);
        for (int i = 0; i < TRIES && found.size() < names.size(); i++) {
            if (isInterruptedInPause(pause)) {
                return found;
            }
            found = describe(names);
        }
        return found;
    }

    /**
     * Returns when brokers lead these partitions, of topics made a moment ago. The client asks again while a partition
     * has no leader, but not while a broker does not know the topic.
     */
    void awaitLeaders(Set<TopicPartition> partitions) {
        var pause = new StopRequest();
        var starts =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.earliest()));
        for (int tries = 1; ; tries++) {
            try {
                answer(
                        "reach the leaders of new topics",
                        admin.listOffsets(starts).all());
                return;
            } catch (PrerequisiteException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || tries == TRIES) {
                    throw e;
                }
                LOG.atDebug().setCause(e).log("a broker does not know a new topic yet");
            }
            if (isInterruptedInPause(pause)) {
                return;
            }
        }
    }

    private static boolean isInterruptedInPause(StopRequest pause) {
        try {
            pause.await(INTERVAL);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private Map<String, TopicDescription> describe(Set<String> names) {
        var found = new LinkedHashMap<String, TopicDescription>();
        admin.describeTopics(names).topicNameValues().forEach((name, future) -> {
            try {
                found.put(name, answer("describe topic " + name, future));
            } catch (PrerequisiteException e) {
                LOG.atDebug().addKeyValue(LogKeys.TOPIC, name).setCause(e).log("Kafka did not describe a topic");
            }
        });
        return found;
    }

    /**
     * Partitions, replicas and settings of topics, by their names.
     *
     * @throws PrerequisiteException if one of them is missing
     */
    Map<String, TopicChecks.Found> settings(Set<String> names) {
        var descriptions = awaitDescriptions(names);
        var missing = names.stream()
                .filter(name -> !descriptions.containsKey(name))
                .sorted()
                .map(TopicAdmin::missing)
                .toList();
        if (!missing.isEmpty()) {
            throw PrerequisiteException.of(missing);
        }
        var resources = names.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        var found = new HashMap<String, TopicChecks.Found>();
        answer("read the topics' settings", admin.describeConfigs(resources).all())
                .forEach((resource, config) -> {
                    var description = Optional.ofNullable(descriptions.get(resource.name()))
                            .orElseThrow();
                    var values = config.entries().stream()
                            .filter(entry -> entry.value() != null)
                            .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
                    found.put(
                            resource.name(),
                            new TopicChecks.Found(
                                    resource.name(), description.partitions().size(), replicas(description), values));
                });
        return found;
    }

    private static int replicas(TopicDescription description) {
        return description.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
    }

    static <T> T answer(String what, KafkaFuture<T> asked) {
        try {
            return asked.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            var cause = e.getCause() == null ? e : e.getCause();
            var remedy = cause instanceof AuthorizationException
                    ? "; allow it to this user, or run provision as a user who may"
                    : "";
            throw new PrerequisiteException("can't " + what + ": " + cause.getMessage() + remedy, cause);
        } catch (TimeoutException e) {
            throw new PrerequisiteException("can't " + what + ": no answer within " + TIMEOUT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PrerequisiteException("can't " + what + ": interrupted", e);
        }
    }
}
