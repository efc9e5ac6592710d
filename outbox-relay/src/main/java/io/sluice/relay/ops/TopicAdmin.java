package io.sluice.relay.ops;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes and checks the relay's topics; nothing is left to the broker's silent creation. */
public final class TopicAdmin {
    private static final Logger LOG = LoggerFactory.getLogger(TopicAdmin.class);
    private static final long TIMEOUT_SECONDS = 15;
    private static final long CONTACT_SECONDS = 4;
    private static final int DESCRIBE_TRIES = 10;
    private static final Duration DESCRIBE_REST = Duration.ofMillis(200);

    /** Positions are read back at every take-over: small segments that are cleaned soon keep that short. */
    private static final Map<String, String> POSITIONS_CONFIG = Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
            TopicConfig.SEGMENT_MS_CONFIG, "600000",
            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.1");

    private static final Map<String, String> LARGE_RECORDS =
            Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(KafkaAccess.MAX_RECORD_BYTES));

    private static final Map<String, String> LAST_WORD =
            Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);

    /** What is made of the history: by suffix, with the topic's settings. */
    private static final Map<String, Map<String, String>> INSIGHT = Map.of(
            ".lifecycle",
            Map.of(),
            ".status",
            LAST_WORD,
            ".stuck",
            LAST_WORD,
            ".statistics",
            Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    TopicConfig.CLEANUP_POLICY_COMPACT + "," + TopicConfig.CLEANUP_POLICY_DELETE,
                    TopicConfig.RETENTION_MS_CONFIG,
                    String.valueOf(Duration.ofDays(30).toMillis())));

    private final Admin admin;
    private final KafkaAccess kafka;
    private final Topics topics;

    /**
     * How missing topics are made.
     *
     * @param mayCreate whether they are
     * @param partitions of the history, commands and dead letter topics
     * @param replicas of all, -1 for the broker's default
     */
    public record Rules(boolean mayCreate, int partitions, int replicas) {}

    public TopicAdmin(Admin admin, KafkaAccess kafka, Topics topics) {
        this.admin = admin;
        this.kafka = kafka;
        this.topics = topics;
    }

    /**
     * Makes sure that Kafka answers.
     *
     * @throws StartFault when it doesn't within seconds
     */
    public void mustAnswer() {
        try {
            var nodes = admin.describeCluster().nodes().get(CONTACT_SECONDS, TimeUnit.SECONDS);
            LOG.atInfo().addKeyValue(LogKeys.COUNT, nodes.size()).log("Kafka answers");
        } catch (TimeoutException e) {
            throw unreachable(e);
        } catch (ExecutionException e) {
            throw unreachable(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(e);
        }
    }

    private StartFault unreachable(Throwable cause) {
        return new StartFault(
                "can't reach Kafka at " + kafka.bootstrapServers() + " (" + cause
                        + "); check KAFKA_BOOTSTRAP_SERVERS, that the brokers are up, and the security settings",
                cause);
    }

    /**
     * Makes sure that the topics are there and set up as they must be.
     *
     * @param newRanges how many key ranges to cut when positions are made
     * @return how many key ranges there are: the partitions of the positions topic
     * @throws StartFault naming every topic that is missing or set up wrongly, with the remedy
     */
    public int ensure(Rules rules, IntSupplier newRanges) {
        var existing = answer("list the topics", admin.listTopics().names());
        if (rules.mayCreate()) {
            create(existing, rules, newRanges);
        }
        var names = Set.of(topics.history(), topics.positions(), topics.commands(), topics.deadLetters());
        var found = describePatiently(names);
        var faults = new ArrayList<String>();
        names.stream()
                .filter(name -> !found.containsKey(name))
                .sorted()
                .forEach(name -> faults.add("topic " + name + " is missing; run provision"));
        if (faults.isEmpty()) {
            faults.addAll(settingFaults());
        }
        if (!faults.isEmpty()) {
            throw StartFault.of(faults);
        }
        return Optional.ofNullable(found.get(topics.positions()))
                .orElseThrow()
                .partitions()
                .size();
    }

    /** How many partitions a topic has; 0 when it isn't there. */
    public int partitions(String topic) {
        if (!answer("list the topics", admin.listTopics().names()).contains(topic)) {
            return 0;
        }
        return Optional.ofNullable(describePatiently(Set.of(topic)).get(topic))
                .orElseThrow(() -> new StartFault("can't describe topic " + topic, null))
                .partitions()
                .size();
    }

    /**
     * Makes sure that the topics are there that are made of the history, and that the history itself is.
     *
     * @throws StartFault naming every topic that is missing
     */
    public void ensureInsight(Rules rules) {
        var history = describe(Set.of(topics.history())).get(topics.history());
        if (history == null) {
            throw new StartFault("topic " + topics.history() + " is missing; run provision", null);
        }
        var existing = answer("list the topics", admin.listTopics().names());
        var faults = new ArrayList<String>();
        INSIGHT.forEach((suffix, config) -> {
            var topic = topics.prefix() + suffix;
            if (!existing.contains(topic) && rules.mayCreate()) {
                create(new NewTopic(topic, history.partitions().size(), (short) rules.replicas()).configs(config));
            } else if (!existing.contains(topic)) {
                faults.add("topic " + topic + " is missing; run provision");
            }
        });
        if (!faults.isEmpty()) {
            throw StartFault.of(faults);
        }
    }

    /**
     * Makes sure that a topic beside the relay's own is there.
     *
     * @throws StartFault when it is missing and must not be made, or can't be
     */
    public void ensureBeside(String topic, Rules rules) {
        if (answer("list the topics", admin.listTopics().names()).contains(topic)) {
            return;
        }
        if (!rules.mayCreate()) {
            throw new StartFault("topic " + topic + " is missing; make it, or name another", null);
        }
        create(new NewTopic(topic, rules.partitions(), (short) rules.replicas()).configs(LARGE_RECORDS));
        describePatiently(Set.of(topic));
    }

    private void create(Set<String> existing, Rules rules, IntSupplier newRanges) {
        var wanted = new LinkedHashMap<String, Map<String, String>>();
        wanted.put(topics.history(), LARGE_RECORDS);
        wanted.put(topics.commands(), Map.of());
        wanted.put(topics.deadLetters(), LARGE_RECORDS);
        wanted.put(topics.positions(), POSITIONS_CONFIG);
        wanted.keySet().removeAll(existing);
        for (var topic : wanted.entrySet()) {
            int partitions = topic.getKey().equals(topics.positions()) ? newRanges.getAsInt() : rules.partitions();
            create(new NewTopic(topic.getKey(), partitions, (short) rules.replicas()).configs(topic.getValue()));
        }
    }

    private void create(NewTopic topic) {
        try {
            answer(
                    "make topic " + topic.name(),
                    admin.createTopics(List.of(topic)).all());
            LOG.atInfo()
                    .addKeyValue(LogKeys.TOPIC, topic.name())
                    .addKeyValue(LogKeys.COUNT, topic.numPartitions())
                    .log("topic made");
        } catch (StartFault e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
            LOG.atDebug().addKeyValue(LogKeys.TOPIC, topic.name()).log("another replica made the topic");
        }
    }

    /** A topic made a moment ago may still be unknown to the broker asked. */
    private Map<String, TopicDescription> describePatiently(Set<String> names) {
        var pause = new Stop();
        var found = describe(names);
        for (int i = 0; i < DESCRIBE_TRIES && found.size() < names.size(); i++) {
            try {
                pause.rest(DESCRIBE_REST);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return found;
            }
            found = describe(names);
        }
        return found;
    }

    private Map<String, TopicDescription> describe(Set<String> names) {
        var found = new LinkedHashMap<String, TopicDescription>();
        admin.describeTopics(names).topicNameValues().forEach((name, future) -> {
            try {
                found.put(name, answer("describe topic " + name, future));
            } catch (StartFault e) {
                LOG.atDebug().addKeyValue(LogKeys.TOPIC, name).setCause(e).log("topic can't be described");
            }
        });
        return found;
    }

    private List<String> settingFaults() {
        var positions = new ConfigResource(ConfigResource.Type.TOPIC, topics.positions());
        var history = new ConfigResource(ConfigResource.Type.TOPIC, topics.history());
        var deadLetters = new ConfigResource(ConfigResource.Type.TOPIC, topics.deadLetters());
        var settings = answer(
                "read the topics' settings",
                admin.describeConfigs(List.of(positions, history, deadLetters)).all());
        var faults = new ArrayList<String>();
        settings.forEach((resource, config) -> {
            if (resource.equals(positions)) {
                var policy = config.get(TopicConfig.CLEANUP_POLICY_CONFIG);
                if (policy != null && !TopicConfig.CLEANUP_POLICY_COMPACT.equals(policy.value())) {
                    faults.add("topic " + resource.name() + " must be compacted, its cleanup.policy is "
                            + policy.value() + "; else positions are deleted: kafka-configs --alter --topic "
                            + resource.name() + " --add-config cleanup.policy=compact");
                }
            } else {
                var limit = config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
                if (limit != null && Integer.parseInt(limit.value()) < KafkaAccess.MAX_RECORD_BYTES) {
                    faults.add("topic " + resource.name() + " must take records of " + KafkaAccess.MAX_RECORD_BYTES
                            + " bytes, its max.message.bytes is " + limit.value()
                            + "; else a large record stops those behind it: kafka-configs --alter --topic "
                            + resource.name()
                            + " --add-config max.message.bytes=" + KafkaAccess.MAX_RECORD_BYTES);
                }
            }
        });
        return faults;
    }

    private static <T> T answer(String what, KafkaFuture<T> asked) {
        try {
            return asked.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            var cause = e.getCause() == null ? e : e.getCause();
            throw new StartFault("can't " + what + ": " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new StartFault("can't " + what + ": no answer within " + TIMEOUT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFault("can't " + what + ": interrupted", e);
        }
    }
}
