package io.sluice.relay.topic;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.kafka.KafkaAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
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
     * Creates missing topics and checks that all match their contracts.
     *
     * @param further topics that are wanted in addition to {@link TopicCatalogue#CORE}
     * @param newPositions partitions of the positions topic if it has to be created
     * @return settings that work and should be changed, with the remedy
     * @throws PrerequisiteException naming every topic that is missing or does not match, with the remedy
     */
    public List<String> ensure(TopicRules rules, List<TopicContract> further, IntSupplier newPositions) {
        ensureThere(TopicCatalogue.CORE, rules, newPositions);
        ensureThere(further, rules, newPositions);
        var wanted = new ArrayList<>(TopicCatalogue.CORE);
        wanted.addAll(further);
        var found = reader.settings(names(wanted));
        return check(wanted, found, rules);
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
        ensureThere(TopicCatalogue.STREAMS, rules, () -> 0);
        return check(TopicCatalogue.STREAMS, reader.settings(names(TopicCatalogue.STREAMS)), rules);
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
        creator.create(List.of(creator.planned(topic, TopicCatalogue.REPLAY, rules.partitions())));
    }

    /** All missing topics are reported at once. The history is created before topics with its number of partitions. */
    private void ensureThere(List<TopicContract> wanted, TopicRules rules, IntSupplier newPositions) {
        var existing = reader.names();
        var missing = wanted.stream()
                .filter(contract -> !existing.contains(contract.name(topics.prefix())))
                .toList();
        if (!missing.isEmpty() && !rules.mayCreate()) {
            throw PrerequisiteException.of(missing.stream()
                    .map(contract -> missing(contract.name(topics.prefix())))
                    .toList());
        }
        if (!missing.isEmpty()) {
            var creator = new TopicCreator(admin, rules);
            creator.create(missing.stream()
                    .map(contract -> creator.planned(
                            contract.name(topics.prefix()), contract, partitions(contract, rules, newPositions)))
                    .toList());
        }
    }

    private int partitions(TopicContract contract, TopicRules rules, IntSupplier newPositions) {
        return switch (contract.storage().partitions()) {
            case RANGES -> newPositions.getAsInt();
            case ONE -> 1;
            case AS_HISTORY -> historyPartitions();
            case AS_COMMANDS -> Math.max(rules.partitions(), reader.partitions(topics.commands()));
            case AS_CONFIGURED, OF_ITS_MAKER -> rules.partitions();
        };
    }

    static String missing(String topic) {
        return "topic " + topic + " is missing; run provision";
    }

    private Set<String> names(List<TopicContract> contracts) {
        return contracts.stream()
                .map(contract -> contract.name(topics.prefix()))
                .collect(Collectors.toSet());
    }

    /** The history exists, though a broker that is asked right after its creation may not list it yet. */
    private int historyPartitions() {
        return reader.partitionsOfExisting(topics.history());
    }

    private List<String> check(List<TopicContract> wanted, Map<String, TopicChecks.Found> found, TopicRules rules) {
        var commands = found.get(topics.commands());
        var checks = new TopicChecks(
                kafka.bootstrapServers(),
                rules,
                reader.brokers(),
                historyPartitions(),
                commands == null ? 0 : commands.partitions());
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
        return findings.stream().map(TopicFinding::text).toList();
    }

    /** Logs what {@link #ensure} and {@link #ensureStreamsTopics} returned, where nobody shows it. */
    public static void log(List<String> warnings) {
        warnings.forEach(warning -> LOG.atWarn().log(warning));
    }
}
