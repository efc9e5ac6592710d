package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.program.cli.ExitCode;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Dead letters in numbers, and such as can't be taken up again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeadLettersIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PAYLOAD = 10_000;
    private static final long LONG_AGO = 1_000;

    private static OutboxRelay relay(TestStore store) {
        var relay = OutboxRelay.builder()
                .config(TestConfig.of(store, kafka)
                        .withDelivery(TestConfig.givingUpAfter(2))
                        .withOperations(TestConfig.operations(100)))
                .build();
        relay.start();
        return relay;
    }

    private static List<LoggedRequest> pagesOfDeadLetters() {
        return cosmos.requireEmulator()
                .requests()
                .matching(request -> request.operation() == RequestKind.QUERY
                        && request.body().contains("failed")
                        && !request.body().contains("COUNT"))
                .toList();
    }

    @Test
    void retrying_all_passes_over_those_that_can_not_be_retried_and_tells_of_them() {
        try (var store = TestStore.provisioned(cosmos)) {
            store.writeFailed("a-late", 1, 2, 0, LONG_AGO);
            store.writeFailed("b-good", 1, 100, 0);
            store.writeFailed("b-good", 101, 5, 0);
            store.writeFailed("c-late", 1, 1, 0, LONG_AGO);
            store.writeFailed("d-refused", 1, 1, 0);
            store.writeFailed("e-good", 1, 1, 0);
            try (var relay = relay(store)) {
                var ops = new OpsClient(relay.opsPort());
                ops.post("/pause/intents");
                await().atMost(PATIENCE).until(() -> isAllPublished(store));
                cosmos.requireEmulator()
                        .faults()
                        .refuse(
                                request -> request.operation() == RequestKind.BATCH
                                        && "[\"d-refused\"]".equals(request.partitionKey()),
                                0,
                                400,
                                0);
                assertThat(ops.get("/dead-letters").json().path("lastRetry").isNull())
                        .isTrue();

                assertThat(ops.post("/dead-letters/retry").status()).isEqualTo(202);

                await().atMost(PATIENCE)
                        .until(() -> ops.get("/dead-letters")
                                .json()
                                .path("lastRetry")
                                .isObject());
                var ended = ops.get("/dead-letters").json().path("lastRetry");
                assertThat(ended.path("retried").asInt()).isEqualTo(106);
                assertThat(ended.path("expired").asInt()).isEqualTo(3);
                assertThat(ended.path("failed").asInt()).isEqualTo(1);
                assertThat(ended.path("complete").asBoolean()).isTrue();
                assertThat(ended.path("lastError").asText()).contains("d-refused");
                assertThat(store.documents("e-good", "outbox_intent"))
                        .as("what comes after one that can't be retried")
                        .extracting(intent -> intent.path("status").asText())
                        .containsExactly("queued");
                assertThat(store.documents("a-late", "outbox_intent"))
                        .extracting(intent -> intent.path("status").asText())
                        .containsExactly("failed", "failed");
            }
        } finally {
            cosmos.requireEmulator().faults().clear();
        }
    }

    @Test
    void the_command_line_retries_all_that_can_be_and_ends_with_1_when_some_can_not() {
        try (var store = TestStore.provisioned(cosmos)) {
            var environment = CommandRun.environment(store, kafka);
            store.writeFailed("a-late", 1, 1, 0, LONG_AGO);
            store.writeFailed("b-good", 1, 3, 0);

            var run = CommandRun.of(environment, "dead-letters", "retry", "--all");

            assertThat(run.out())
                    .startsWith("3 wait for delivery, 0 not retried because their sources were notified, "
                            + "1 not retried because their deadlines have passed, 0 refused by the store");
            assertThat(run.code()).isEqualTo(ExitCode.OTHER);
            assertThat(store.documents("b-good", "outbox_intent"))
                    .allSatisfy(
                            intent -> assertThat(intent.path("status").asText()).isEqualTo("queued"));
            assertThat(CommandRun.of(environment, "dead-letters", "discard", TestStore.key("a-late", 1))
                            .code())
                    .isEqualTo(ExitCode.DONE);
            assertThat(CommandRun.of(environment, "dead-letters", "retry", "--all")
                            .code())
                    .isEqualTo(ExitCode.DONE);
        }
    }

    @Test
    void many_are_published_page_by_page_and_lists_bring_no_payloads() {
        try (var store = TestStore.provisioned(cosmos)) {
            for (int i = 0; i < 5; i++) {
                store.writeFailed("source-" + i, 1, 50, PAYLOAD);
            }
            cosmos.requireEmulator().requests().clear();

            try (var relay = relay(store)) {
                var ops = new OpsClient(relay.opsPort());
                var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
                await().atMost(PATIENCE).until(() -> topics.deadLetterReasons().size() == 250);
                await().atMost(PATIENCE).until(() -> isAllPublished(store));
                assertThat(pagesOfDeadLetters())
                        .as("no more in memory at a time than this")
                        .allSatisfy(page -> assertThat(page.itemCount()).isLessThanOrEqualTo(100));

                cosmos.requireEmulator().requests().clear();
                await().atMost(PATIENCE)
                        .until(() -> ops.get("/dead-letters?limit=20")
                                        .json()
                                        .path("total")
                                        .asInt()
                                == 250);
                var shown = ops.get("/dead-letters?limit=20").json().path("deadLetters");

                assertThat(shown).hasSize(20).allSatisfy(letter -> {
                    assertThat(letter.path("published").asBoolean()).isTrue();
                    assertThat(letter.path("reason").asText()).isEqualTo("refused 10 times");
                });
                assertThat(pagesOfDeadLetters())
                        .isNotEmpty()
                        .allSatisfy(page -> assertThat(page.bytesOut()).isLessThan(20 * PAYLOAD));
                var ofOne = ops.get("/dead-letters?limit=20&source=source-3").json();
                assertThat(ofOne.path("total").asInt()).isEqualTo(50);
                assertThat(ofOne.path("deadLetters"))
                        .extracting(letter -> letter.path("source").asText())
                        .containsOnly("source-3");
                assertThat(CommandRun.of(CommandRun.environment(store, kafka), "dead-letters", "list")
                                .out())
                        .contains("250 dead letters");
            }
        }
    }

    @Test
    void the_last_refusal_is_counted_as_the_reason_says() {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store)) {
            var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
            store.writePoison("parent", "child", 1);
            await().atMost(PATIENCE).until(() -> topics.deadLetterReasons().size() == 1);

            var letter = topics.committed(kafka.prefix() + ".dead-letters").get(0);

            assertThat(TestTopics.header(letter, "sluice-reason")).startsWith("refused 2 times, at last: ");
            assertThat(TestTopics.header(letter, "sluice-attempts")).isEqualTo("2");
            assertThat(TestTopics.header(letter, "sluice-reason"))
                    .endsWith(TestTopics.header(letter, "sluice-last-error"));
            assertThat(TestTopics.header(letter, "x-tpf-retry-attempt"))
                    .as("of the last dispatch")
                    .isEqualTo("1");
            assertThat(relay.status().intents().parked()).isEqualTo(1);
        }
    }

    private static boolean isAllPublished(TestStore store) {
        return store.everything().stream()
                .filter(document -> document.path("type").asText().equals("outbox_intent"))
                .map(document -> document.path("reported"))
                .allMatch(JsonNode::asBoolean);
    }
}
