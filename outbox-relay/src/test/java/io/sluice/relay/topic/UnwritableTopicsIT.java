package io.sluice.relay.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.testkit.EmbeddedKafka;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A broker whose defaults don't fit each other: one replica is made, two must be in sync. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnwritableTopicsIT {
    private static final int BROKERS_DEFAULT = -1;
    private static final String PREFIX = "unwritable";

    private static EmbeddedKafka broker;
    private static Admin admin;
    private static TopicAdmin topics;

    @BeforeAll
    static void start() {
        broker = EmbeddedKafka.start(Map.of("min.insync.replicas", "2"));
        var kafka = new KafkaAccess(broker.bootstrapServers(), Map.of());
        admin = kafka.admin();
        topics = new TopicAdmin(admin, kafka, new Topics(PREFIX));
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
    }

    private static String name(TopicContract contract) {
        return contract.name(PREFIX);
    }

    @Test
    void topics_that_nobody_could_write_to_are_refused_by_name_and_none_is_left_behind() throws Exception {
        var rules = new TopicRules(true, 2, BROKERS_DEFAULT, BROKERS_DEFAULT);

        assertThatThrownBy(() -> topics.ensure(rules, TopicCatalogue.STREAMS, () -> 2))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContainingAll(TopicCatalogue.CORE.stream()
                        .map(UnwritableTopicsIT::name)
                        .toArray(String[]::new))
                .hasMessageContaining("1 replicas and min.insync.replicas=2")
                .hasMessageContaining("SLUICE_TOPIC_REPLICATION=2");
        assertThat(admin.listTopics().names().get()).noneMatch(topic -> topic.startsWith(PREFIX));
    }

    @Test
    void topics_that_the_cluster_refuses_are_named_and_none_is_left_behind() throws Exception {
        var rules = new TopicRules(true, 2, 3, BROKERS_DEFAULT);

        assertThatThrownBy(() -> topics.ensure(rules, TopicCatalogue.STREAMS, () -> 2))
                .isInstanceOf(PrerequisiteException.class)
                .hasMessageContaining(name(TopicCatalogue.POSITIONS));
        assertThat(admin.listTopics().names().get()).noneMatch(topic -> topic.startsWith(PREFIX));
    }

    @Test
    void a_setting_that_fits_is_enough() {
        var rules = new TopicRules(true, 2, 1, 1);
        var own = new TopicAdmin(admin, new KafkaAccess(broker.bootstrapServers(), Map.of()), new Topics("writable"));

        assertThat(own.ensure(rules, TopicCatalogue.STREAMS, () -> 2)).isEmpty();
    }
}
