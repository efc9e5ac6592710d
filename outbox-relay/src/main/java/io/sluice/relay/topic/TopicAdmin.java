package io.sluice.relay.topic;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.contract.TopicStorage.Partitions;
import io.sluice.relay.kafka.KafkaAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and checks the relay's topics by their {@linkplain TopicCatalogue contracts}; the broker never creates one
 * automatically.
 */
public final class TopicAdmin {
    private static final Logger LOG = LoggerFactory.getLogger(TopicAdmin.class);

    private final Admin admin;
    private final KafkaAccess kafka;
    private final Topics topics;
    private final TopicReader reader;

    public TopicAdmin(Admin admin, KafkaAccess kafka, Topics topics) {
        this.admin = admin;
        this.kafka = kafka;
        this.topics = topics;
        this.reader = new TopicReader(admin);
    }

    /**
     * Creates missing topics and checks that all match their contracts. Creates none if one of them can't be created,
     * or if one that exists does not match.
     *
     * @param further topics that are wanted in addition to {@link TopicCatalogue#CORE}
     * @param newPositions partitions of the positions topic if it has to be created
     * @return settings that work and should be changed, with the remedy
     * @throws PrerequisiteException naming every topic that is missing or does not match, with the remedy
     */
    public List<String> ensure(TopicRules rules, List<TopicContract> further, IntSupplier newPositions) {
        return create(plan(rules, further, newPositions));
    }

    /**
     * Checks what {@link #ensure} would find and do, as far as that is possible without creating a topic.
     *
     * @throws PrerequisiteException naming every topic that is missing and may not or can't be created, or does not
     *     match, with the remedy
     */
    public TopicPlan plan(TopicRules rules, List<TopicContract> further, IntSupplier newPositions) {
        var wanted = new ArrayList<>(TopicCatalogue.CORE);
        wanted.addAll(further);
        return plan(wanted, rules, newPositions);
    }

    /**
     * Creates missing topics of the streams and checks them; the history must exist.
     *
     * @return settings that work and should be changed, with the remedy
     * @throws PrerequisiteException naming every topic that is missing or does not match, with the remedy
     */
    public List<String> ensureStreamsTopics(TopicRules rules) {
        if (reader.partitions(topics.history()) == 0) {
            throw new PrerequisiteException(missing(topics.history()), null);
        }
        return create(plan(TopicCatalogue.STREAMS, rules, () -> 0));
    }

    /**
     * Creates a topic that is not one of the relay's own, if it is missing.
     *
     * @throws PrerequisiteException if it is missing and may not or can't be created
     */
    public void ensureOtherTopic(String topic, TopicRules rules) {
        if (reader.names().contains(topic)) {
            return;
        }
        if (!rules.mayCreate()) {
            throw new PrerequisiteException("topic " + topic + " is missing; create it, or name another", null);
        }
        var creator = new TopicCreator(admin, rules);
        var planned = List.of(creator.planned(topic, TopicCatalogue.REPLAY, rules.partitions()));
        var faults = creator.faults(planned);
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(faults);
        }
        creator.create(planned);
    }

    private TopicPlan plan(List<TopicContract> wanted, TopicRules rules, IntSupplier newPositions) {
        var existing = reader.names();
        var there = wanted.stream()
                .filter(contract -> existing.contains(name(contract)))
                .toList();
        var sizes =
                new Sizes(historyPartitions(wanted, existing, rules), partitions(topics.commands(), existing, rules));
        var missing = new HashMap<TopicContract, Integer>();
        wanted.stream()
                .filter(contract -> !there.contains(contract))
                .forEach(contract -> missing.put(contract, sizes.of(contract, rules, newPositions)));
        var faults = new ArrayList<>(faults(missing, rules));
        if (!there.isEmpty()) {
            findings(there, reader.settings(names(there)), rules, sizes)
                    .filter(TopicFinding::isFault)
                    .map(TopicFinding::text)
                    .forEach(faults::add);
        }
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(faults);
        }
        return new TopicPlan(wanted, missing, rules);
    }

    private List<String> faults(Map<TopicContract, Integer> missing, TopicRules rules) {
        if (missing.isEmpty()) {
            return List.of();
        }
        if (!rules.mayCreate()) {
            return missing.keySet().stream()
                    .map(contract -> missing(name(contract)))
                    .sorted()
                    .toList();
        }
        var creator = new TopicCreator(admin, rules);
        return creator.faults(missing.entrySet().stream()
                .map(topic -> creator.planned(name(topic.getKey()), topic.getKey(), topic.getValue()))
                .toList());
    }

    /** A history that was lost is made again with as many as the topics have that follow it and are still there. */
    private int historyPartitions(List<TopicContract> wanted, Set<String> existing, TopicRules rules) {
        if (existing.contains(topics.history())) {
            return historyPartitions();
        }
        return wanted.stream()
                .filter(contract -> contract.storage().partitions() == Partitions.AS_HISTORY)
                .map(this::name)
                .filter(existing::contains)
                .mapToInt(reader::partitionsOfExisting)
                .max()
                .orElse(rules.partitions());
    }

    /** The partitions that a topic has, or will have after its creation. */
    private int partitions(String topic, Set<String> existing, TopicRules rules) {
        return existing.contains(topic) ? reader.partitionsOfExisting(topic) : rules.partitions();
    }

    /**
     * The partitions of topics that others follow.
     *
     * @param history of the history topic
     * @param commands of the commands topic
     */
    private record Sizes(int history, int commands) {
        int of(TopicContract contract, TopicRules rules, IntSupplier newPositions) {
            return switch (contract.storage().partitions()) {
                case RANGES -> newPositions.getAsInt();
                case ONE -> 1;
                case AS_HISTORY -> history;
                case AS_COMMANDS -> Math.max(rules.partitions(), commands);
                case AS_CONFIGURED, OF_ITS_MAKER ->
                    contract.equals(TopicCatalogue.HISTORY) ? history : rules.partitions();
            };
        }
    }

    /**
     * Creates topics and checks all of the plan.
     *
     * @return settings that work and should be changed, with the remedy
     * @throws PrerequisiteException when one can't be created after all; the message names those that were
     */
    public List<String> create(TopicPlan plan) {
        var rules = plan.rules();
        var creator = new TopicCreator(admin, rules);
        creator.create(plan.missing(false).stream()
                .map(contract -> creator.planned(name(contract), contract, partitions(plan, contract)))
                .toList());
        var following = plan.missing(true);
        if (!following.isEmpty()) {
            // Others may have created those meanwhile, with other partitions than were planned.
            var sizes = new Sizes(historyPartitions(), reader.partitions(topics.commands()));
            creator.create(following.stream()
                    .map(contract -> creator.planned(
                            name(contract), contract, sizes.of(contract, rules, () -> partitions(plan, contract))))
                    .toList());
        }
        return check(plan.wanted(), rules);
    }

    private static int partitions(TopicPlan plan, TopicContract contract) {
        return Optional.ofNullable(plan.missing().get(contract)).orElseThrow();
    }

    private String name(TopicContract contract) {
        return contract.name(topics.prefix());
    }

    static String missing(String topic) {
        return "topic " + topic + " is missing; run provision";
    }

    private Set<String> names(List<TopicContract> contracts) {
        return contracts.stream().map(this::name).collect(Collectors.toSet());
    }

    /** The history exists, though a broker that is asked right after its creation may not list it yet. */
    private int historyPartitions() {
        return reader.partitionsOfExisting(topics.history());
    }

    private List<String> check(List<TopicContract> wanted, TopicRules rules) {
        var found = reader.settings(names(wanted));
        var commands = found.get(topics.commands());
        var sizes = new Sizes(historyPartitions(), commands == null ? 0 : commands.partitions());
        var findings = findings(wanted, found, rules, sizes).toList();
        var faults = findings.stream()
                .filter(TopicFinding::isFault)
                .map(TopicFinding::text)
                .toList();
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(faults);
        }
        return findings.stream().map(TopicFinding::text).toList();
    }

    /** Logs what {@link #ensure} and {@link #ensureStreamsTopics} returned, where nobody shows it. */
    public static void log(List<String> warnings) {
        warnings.forEach(warning -> LOG.atWarn().log(warning));
    }

    private Stream<TopicFinding> findings(
            List<TopicContract> contracts, Map<String, TopicChecks.Found> found, TopicRules rules, Sizes sizes) {
        var checks =
                new TopicChecks(kafka.bootstrapServers(), rules, reader.brokers(), sizes.history(), sizes.commands());
        return contracts.stream()
                .flatMap(contract ->
                        checks
                                .of(
                                        contract,
                                        Optional.ofNullable(found.get(name(contract)))
                                                .orElseThrow())
                                .stream());
    }
}
