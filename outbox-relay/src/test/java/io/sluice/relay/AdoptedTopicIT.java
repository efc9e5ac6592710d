package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.program.cli.ExitCode;
import io.sluice.relay.history.RangeState;
import io.sluice.relay.kafka.CommittedRecords;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A history topic that was deleted, and restored with its events. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AdoptedTopicIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int PARTITIONS = 2;

    private static KafkaAccess access() {
        return new KafkaAccess(kafka.bootstrapServers(), Map.of());
    }

    private static String history() {
        return kafka.prefix() + ".history";
    }

    private static List<String> published() {
        return new TestTopics(kafka.bootstrapServers(), kafka.prefix()).eventIds();
    }

    /** Deletes the topic and makes it again with these records. */
    private static void restore(List<ConsumerRecord<byte[], byte[]>> records) throws Exception {
        try (var admin = access().admin()) {
            admin.deleteTopics(List.of(history())).all().get();
            await().atMost(PATIENCE)
                    .until(() -> !admin.listTopics().names().get().contains(history()));
            KafkaTopics.create(
                    admin,
                    new NewTopic(history(), PARTITIONS, (short) 1).configs(Map.of("max.message.bytes", "4194304")));
            try (var producer = access().idempotent(history())) {
                for (var each : records) {
                    producer.send(new ProducerRecord<>(
                                    history(),
                                    each.partition(),
                                    each.timestamp(),
                                    each.key(),
                                    each.value(),
                                    each.headers()))
                            .get();
                }
            }
        }
    }

    private static OutboxRelay relay(TestStore store) {
        return OutboxRelay.builder().config(TestConfig.of(store, kafka)).build();
    }

    private static void awaitStates(OutboxRelay relay, RangeState state) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(relay.status().history().ranges())
                        .isNotEmpty()
                        .allMatch(range -> range.state().equals(state.name())));
    }

    @Test
    void a_topic_is_taken_with_all_of_its_events_and_with_no_fewer_and_no_more() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = CommandRun.environment(store, kafka);
            var before = new ArrayList<String>();
            try (var relay = relay(store)) {
                relay.start();
                for (int i = 0; i < 8; i++) {
                    before.addAll(store.writeHistory("order-" + i, 1, 3));
                }
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(published()).hasSize(before.size()));
                awaitStates(relay, RangeState.PUBLISHING);
            }
            assertThat(CommandRun.of(environment, "positions", "adopt", "--yes").lines())
                    .containsExactly("all positions are of this topic, there is nothing to adopt");
            var records = CommittedRecords.ofSettled(access(), history());
            restore(records.subList(1, records.size()));
            try (var relay = relay(store)) {
                relay.start();
                awaitStates(relay, RangeState.REFUSED);
                assertThat(relay.status().problems())
                        .anySatisfy(problem -> assertThat(problem).contains("positions adopt --yes"));
            }

            var lacking = CommandRun.of(environment, "positions", "adopt", "--yes");

            assertThat(lacking.code()).as(lacking.out()).isEqualTo(ExitCode.OTHER);
            assertThat(lacking.err()).contains("not adopted");

            restore(List.of());
            var empty = CommandRun.of(
                    environment,
                    "positions",
                    "adopt",
                    "--yes",
                    "--since",
                    Instant.now().toString());
            assertThat(empty.code()).as(empty.out()).isEqualTo(ExitCode.OTHER);
            assertThat(empty.err()).contains("none of the events that were published is on the topic");
            assertThat(CommandRun.of(environment, "positions", "adopt", "--yes", "--since", "2999-01-01T00:00:00Z")
                            .err())
                    .contains("--since must be in the past");

            restore(records);
            var adopted = CommandRun.of(environment, "positions", "adopt", "--yes");

            assertThat(adopted.code()).as(adopted.out() + adopted.err()).isEqualTo(ExitCode.DONE);
            assertThat(adopted.out()).contains("exact").contains(" positions go on in this topic");
            var after = store.writeHistory("order-new", 1, 3);
            try (var relay = relay(store)) {
                relay.start();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(published()).containsAll(after));
            }
            assertThat(published())
                    .as("what was restored is not published again")
                    .hasSize(before.size() + after.size())
                    .doesNotHaveDuplicates();

            restore(CommittedRecords.ofSettled(access(), history()));
            store.writeHistory("order-late", 1, 2);
            assertThat(CommandRun.of(environment, "positions", "adopt", "--yes").code())
                    .as("what waits is not on the topic")
                    .isEqualTo(ExitCode.DONE);
        }
    }
}
