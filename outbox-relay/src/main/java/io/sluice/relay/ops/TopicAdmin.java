package io.sluice.relay.ops;

import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes and checks the relay's topics by their {@linkplain TopicCatalogue contracts}; nothing is left to the broker's
 * silent creation.
 */
public final class TopicAdmin {
    private static final Logger LOG = LoggerFactory.getLogger(TopicAdmin.class);
    private static final long TIMEOUT_SECONDS = 15;
    private static final long CONTACT_SECONDS = 4;
    private static final int DESCRIBE_TRIES = 10;
    private static final Duration DESCRIBE_REST = Duration.ofMillis(200);

    private final Admin admin;
    private final KafkaAccess kafka;
    private final Topics topics;

    /**
     * How missing topics are made, and what is demanded of those that are there.
     *
     * @param mayCreate whether they are made
     * @param partitions of the history, commands and dead letter topics
     * @param replicas of all, -1 for the broker's default
     * @param minInSync {@code min.insync.replicas} of all, at least; -1 leaves it to the broker
     */
    public record Rules(boolean mayCreate, int partitions, int replicas, int minInSync) {}

    /**
     * What was found.
     *
     * @param ranges how many key ranges there are: the partitions of the positions topic; 0 where nobody asked
     * @param warnings what works and yet should not stay as it is, with the remedy
     */
    public record Report(int ranges, List<String> warnings) {}

    public TopicAdmin(Admin admin, KafkaAccess kafka, Topics topics) {
        this.admin = admin;
        this.kafka = kafka;
        this.topics = topics;
    }

    /**
     * Makes sure that Kafka answers.
     *
     * @throws PrerequisiteException when it doesn't within seconds
     */
    public void mustAnswer() {
        try {
            var nodes = admin.describeCluster().nodes().get(CONTACT_SECONDS, TimeUnit.SECONDS);
            LOG.atInfo().addKeyValue(LogKeys.COUNT, nodes.size()).log("Kafka answered with the brokers of the cluster");
        } catch (TimeoutException e) {
            throw unreachable(e);
        } catch (ExecutionException e) {
            throw unreachable(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(e);
        }
    }

    private PrerequisiteException unreachable(Throwable cause) {
        var refusal = ConnectionFailure.of(cause);
        return new PrerequisiteException(
                "can't reach Kafka at " + kafka.bootstrapServers() + " (" + refusal.reason() + "); check "
                        + refusal.remedy(),
                cause);
    }

    /**
     * Makes sure that the topics are there and set up as their contracts say.
     *
     * @param insight whether those that are made of the history are wanted, too
     * @param newRanges how many key ranges to cut when positions are made
     * @throws PrerequisiteException naming every topic that is missing or set up wrongly, with the remedy
     */
    public Report ensure(Rules rules, boolean insight, IntSupplier newRanges) {
        ensureThere(TopicCatalogue.CORE, rules, newRanges);
        var wanted = insight ? TopicCatalogue.OWN : TopicCatalogue.CORE;
        if (insight) {
            ensureThere(TopicCatalogue.STREAMS, rules, newRanges);
        }
        var found = found(wanted);
        var warnings = check(wanted, found, rules);
        var positions = Optional.ofNullable(found.get(topics.positions())).orElseThrow();
        return new Report(positions.partitions(), warnings);
    }

    /**
     * Makes sure that the topics are there that are made of the history, and that the history itself is.
     *
     * @throws PrerequisiteException naming every topic that is missing or set up wrongly, with the remedy
     */
    public Report ensureInsight(Rules rules) {
        if (partitions(topics.history()) == 0) {
            throw new PrerequisiteException(missing(topics.history()), null);
        }
        ensureThere(TopicCatalogue.STREAMS, rules, () -> 0);
        return new Report(0, check(TopicCatalogue.STREAMS, found(TopicCatalogue.STREAMS), rules));
    }

    /** How many partitions a topic has; 0 when it isn't there. */
    public int partitions(String topic) {
        if (!answer("list the topics", admin.listTopics().names()).contains(topic)) {
            return 0;
        }
        return partitionsThere(topic);
    }

    /** How many the history has, which is there, though a broker asked right after it was made may not list it yet. */
    private int historyPartitions() {
        return partitionsThere(topics.history());
    }

    private int partitionsThere(String topic) {
        return Optional.ofNullable(describePatiently(Set.of(topic)).get(topic))
                .orElseThrow(() -> new PrerequisiteException("can't describe topic " + topic, null))
                .partitions()
                .size();
    }

    /**
     * Makes sure that a topic that is none of the relay's own exists.
     *
     * @throws PrerequisiteException when it is missing and must not be made, or can't be
     */
    public void ensureBeside(String topic, Rules rules) {
        if (answer("list the topics", admin.listTopics().names()).contains(topic)) {
            return;
        }
        if (!rules.mayCreate()) {
            throw new PrerequisiteException("topic " + topic + " is missing; make it, or name another", null);
        }
        var maker = new TopicCreator(admin, rules);
        maker.make(List.of(maker.planned(topic, TopicCatalogue.REPLAY, rules.partitions())));
        describePatiently(Set.of(topic));
    }

    /** Names the missing ones at once; the history is made before those that have as many partitions as it. */
    private void ensureThere(List<TopicContract> wanted, Rules rules, IntSupplier newRanges) {
        var existing = answer("list the topics", admin.listTopics().names());
        var missing = wanted.stream()
                .filter(contract -> !existing.contains(contract.name(topics.prefix())))
                .toList();
        if (!missing.isEmpty() && !rules.mayCreate()) {
            throw PrerequisiteException.of(missing.stream()
                    .map(contract -> missing(contract.name(topics.prefix())))
                    .toList());
        }
        if (!missing.isEmpty()) {
            var maker = new TopicCreator(admin, rules);
            maker.make(missing.stream()
                    .map(contract -> maker.planned(
                            contract.name(topics.prefix()), contract, partitions(contract, rules, newRanges)))
                    .toList());
        }
    }

    private int partitions(TopicContract contract, Rules rules, IntSupplier newRanges) {
        return switch (contract.storage().partitions()) {
            case RANGES -> newRanges.getAsInt();
            case AS_HISTORY -> historyPartitions();
            case AS_CONFIGURED, OF_ITS_MAKER -> rules.partitions();
        };
    }

    private static String missing(String topic) {
        return "topic " + topic + " is missing; run provision";
    }

    /** A topic made a moment ago may still be unknown to the broker asked. */
    private Map<String, TopicDescription> describePatiently(Set<String> names) {
        var pause = new StopRequest();
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
            } catch (PrerequisiteException e) {
                LOG.atDebug().addKeyValue(LogKeys.TOPIC, name).setCause(e).log("Kafka did not describe a topic");
            }
        });
        return found;
    }

    private Map<String, TopicChecks.Found> found(List<TopicContract> wanted) {
        var names =
                wanted.stream().map(contract -> contract.name(topics.prefix())).collect(Collectors.toSet());
        var descriptions = describePatiently(names);
        var unknown = names.stream()
                .filter(name -> !descriptions.containsKey(name))
                .sorted()
                .map(TopicAdmin::missing)
                .toList();
        if (!unknown.isEmpty()) {
            throw PrerequisiteException.of(unknown);
        }
        var resources = names.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        var settings = answer(
                "read the topics' settings", admin.describeConfigs(resources).all());
        var found = new HashMap<String, TopicChecks.Found>();
        settings.forEach((resource, config) -> {
            var description =
                    Optional.ofNullable(descriptions.get(resource.name())).orElseThrow();
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

    /** Returns and logs the warnings. */
    private List<String> check(List<TopicContract> wanted, Map<String, TopicChecks.Found> found, Rules rules) {
        int brokers =
                answer("describe the cluster", admin.describeCluster().nodes()).size();
        var checks = new TopicChecks(kafka.bootstrapServers(), rules, brokers, historyPartitions());
        var findings = wanted.stream()
                .flatMap(contract ->
                        checks
                                .of(
                                        contract,
                                        Optional.ofNullable(found.get(contract.name(topics.prefix())))
                                                .orElseThrow())
                                .stream())
                .toList();
        var faults = findings.stream()
                .filter(TopicFinding::isFault)
                .map(TopicFinding::text)
                .toList();
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(faults);
        }
        var warnings = findings.stream().map(TopicFinding::text).toList();
        warnings.forEach(warning -> LOG.atWarn().log(warning));
        return warnings;
    }

    static <T> T answer(String what, KafkaFuture<T> asked) {
        try {
            return asked.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            var cause = e.getCause() == null ? e : e.getCause();
            var remedy = cause instanceof AuthorizationException
                    ? "; allow it to this user, or let somebody run provision who may"
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
