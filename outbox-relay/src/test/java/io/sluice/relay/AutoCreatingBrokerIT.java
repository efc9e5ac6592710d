package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.KafkaTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker that makes every topic somebody mentions, with settings nobody chose: no mention of ours may come to that.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AutoCreatingBrokerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PREFIX = "unmade";

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // before all tests
    private static EmbeddedKafka broker;

    @BeforeAll
    static void start() {
        broker = EmbeddedKafka.start(Map.of("auto.create.topics.enable", "true", "num.partitions", "7"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static KafkaAccess kafka() {
        return new KafkaAccess(broker.bootstrapServers(), Map.of());
    }

    private static Set<String> topics(String prefix) throws Exception {
        try (var admin = kafka().admin()) {
            return admin.listTopics().names().get().stream()
                    .filter(topic -> topic.startsWith(prefix))
                    .collect(Collectors.toSet());
        }
    }

    private static RelayConfig config(TestStore store, String prefix, boolean mayCreate) {
        return RelayConfig.of(store.config(), broker.bootstrapServers())
                .withPrefix(prefix)
                .withProvisioning(new RelayConfig.Provisioning(mayCreate, 2, 1));
    }

    @Test
    void the_broker_does_make_what_a_plain_producer_mentions() throws Exception {
        try (var producer = kafka().idempotent()) {
            assertThat(producer.partitionsFor("mentioned")).hasSize(7);
        }
        assertThat(topics("mentioned")).hasSize(1);
    }

    @Test
    void a_relay_and_streams_that_find_no_topics_refuse_and_make_none() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = OutboxRelay.builder()
                        .config(config(store, PREFIX, false))
                        .build();
                var streams = new StreamsOnlyReplica(RelayConfig.loadStreamsOnly(
                        Map.of(
                                "KAFKA_BOOTSTRAP_SERVERS",
                                broker.bootstrapServers(),
                                "SLUICE_PREFIX",
                                PREFIX,
                                "SLUICE_PROVISION_AT_START",
                                "false",
                                "SLUICE_STREAMS_STATE",
                                folder.toString()),
                        null))) {
            assertThatThrownBy(relay::start)
                    .isInstanceOf(RelayStartException.class)
                    .hasMessageContaining(PREFIX + ".history is missing");
            assertThatThrownBy(streams::start)
                    .isInstanceOf(RelayStartException.class)
                    .hasMessageContaining(PREFIX + ".history is missing");
        }
        assertThat(topics(PREFIX)).isEmpty();
    }

    @Test
    void no_client_of_the_relay_makes_a_topic_by_mentioning_it() throws Exception {
        var topic = PREFIX + ".history";
        try (var reader = kafka().reader();
                var member = kafka().groupMember("group", "latest")) {
            reader.assign(List.of(new TopicPartition(topic, 0)));
            member.subscribe(List.of(topic));
            for (int i = 0; i < 20; i++) {
                reader.poll(Duration.ofMillis(50));
                member.poll(Duration.ofMillis(50));
            }
        }
        assertThatThrownBy(() -> kafka().transactional("t", topic))
                .isInstanceOf(UnknownTopicOrPartitionException.class)
                .hasMessageContaining(topic);
        assertThatThrownBy(() -> kafka().idempotent(topic)).isInstanceOf(UnknownTopicOrPartitionException.class);
        assertThat(topics(PREFIX)).isEmpty();
    }

    /** Dead letters are rare: their topic may have been gone for long when the first one is written. */
    @Test
    void topics_to_write_to_that_are_gone_are_missed_and_not_made_anew() throws Exception {
        var names = new Topics("deleted");
        var commands = new TestTopics(broker.bootstrapServers(), names.prefix());
        try (var store = TestStore.provisioned(cosmos);
                var relay = OutboxRelay.builder()
                        .config(config(store, names.prefix(), true))
                        .build()) {
            relay.start();
            try (Admin admin = kafka().admin()) {
                admin.deleteTopics(List.of(names.deadLetters())).all().get();
                commands.send(
                        "order",
                        "{\"type\":\"cancel\",\"instance\":\"order\",\"reason\":\"\"}",
                        Map.of("ce_id", "c-1", "reply-topic", "deleted.replies"));
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(store.documents("order", "receipt"))
                                .extracting(receipt -> receipt.path("outcome").asText())
                                .as("settled: from now on its dead letter is to be written")
                                .containsExactly("refused"));
                await().during(Duration.ofSeconds(3))
                        .atMost(PATIENCE)
                        .untilAsserted(() ->
                                assertThat(topics("deleted")).doesNotContain(names.deadLetters(), "deleted.replies"));

                KafkaTopics.create(admin, new NewTopic(names.deadLetters(), 1, (short) 1));
            }

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(commands.deadLetterReasons())
                            .singleElement()
                            .asString()
                            .contains("deleted.replies does not exist"));
        }
    }
}
