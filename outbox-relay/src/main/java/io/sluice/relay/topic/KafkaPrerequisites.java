package io.sluice.relay.topic;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.kafka.KafkaConnectivity;
import io.sluice.relay.loop.StartFaults;
import io.sluice.relay.topic.Rights.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.admin.Admin;

/**
 * What a relay needs of Kafka before it starts. Each check asks Kafka and creates nothing.
 *
 * @param kafka how to reach Kafka
 * @param topics their names
 * @param uses what the relay does there
 * @param rules of the topics
 * @param transactionVersion the lowest level of {@code transaction.version} that is accepted
 */
public record KafkaPrerequisites(
        KafkaAccess kafka, Topics topics, Set<Use> uses, TopicRules rules, int transactionVersion) {
    /** The least partitions of the positions topic. */
    public static final int LEAST_POSITIONS = 32;

    public KafkaPrerequisites {
        uses = Set.copyOf(uses);
    }

    /**
     * Checks that a broker answers.
     *
     * @throws PrerequisiteException if a client refuses its settings, or none answers
     */
    public void requireAnswer() {
        var connectivity = new KafkaConnectivity(kafka);
        connectivity.checkSettings();
        try (var admin = kafka.admin()) {
            connectivity.checkAnswer(admin);
        }
    }

    /**
     * Checks that the brokers offer the transactions that a relay needs.
     *
     * @throws PrerequisiteException naming every fault, with the remedy
     */
    public void requireTransactions() {
        try (var admin = kafka.admin()) {
            TransactionSupport.require(admin, kafka.bootstrapServers(), topics, transactionVersion);
        }
    }

    /**
     * Checks that this user has the rights that a relay needs.
     *
     * @throws PrerequisiteException naming every missing right
     */
    public void requireRights() {
        try (var admin = kafka.admin()) {
            Rights.require(admin, topics, uses);
        }
    }

    /**
     * Checks, before there is a store, what is needed to provision one: transactions, and that missing topics can be
     * created beside those that exist.
     *
     * @throws PrerequisiteException naming every fault, with the remedy
     */
    public void requireProvisionable() {
        requireAnswer();
        var faults = new StartFaults();
        faults.check(this::requireTransactions);
        try (var admin = kafka.admin()) {
            faults.check(() -> plan(topicAdmin(admin), true, () -> LEAST_POSITIONS));
        }
        faults.throwIfAny();
    }

    /** Creates the topics that were planned. */
    public TopicAdmin topicAdmin(Admin admin) {
        return new TopicAdmin(admin, kafka, topics);
    }

    /** As {@link TopicAdmin#plan}, for the topics that the relay uses. */
    public TopicPlan plan(TopicAdmin admin, boolean mayCreate, IntSupplier newPositions) {
        return admin.plan(rules.mayCreate(mayCreate), furtherTopics(), newPositions);
    }

    private List<TopicContract> furtherTopics() {
        var further = new ArrayList<TopicContract>();
        if (uses.contains(Use.STREAMS)) {
            further.addAll(TopicCatalogue.STREAMS);
        }
        if (uses.contains(Use.DISPATCH)) {
            further.addAll(TopicCatalogue.DISPATCH);
        }
        return further;
    }
}
