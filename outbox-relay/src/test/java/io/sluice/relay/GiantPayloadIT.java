package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Documents as large as the service takes, which leave no room for anything of ours beside them or in them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GiantPayloadIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static OutboxRelay relay(TestStore store) {
        var relay = OutboxRelay.builder()
                .config(TestConfig.of(store, kafka).withDelivery(TestConfig.givingUpAfter(2)))
                .build();
        relay.start();
        return relay;
    }

    private static TestTopics topics() {
        return new TestTopics(kafka.bootstrapServers(), kafka.prefix());
    }

    @Test
    void an_intent_with_no_room_to_count_its_tries_becomes_one_dead_letter_and_the_others_go_on() {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store)) {
            store.writeGiantPoison("parent", "child");
            store.writeIntents("parent", "other", 2, 1);

            await().atMost(PATIENCE)
                    .until(() -> store.ids("other", "orch_queue").size() == 1);
            await().atMost(PATIENCE).until(() -> topics().deadLetterReasons().size() == 1);
            await().atMost(PATIENCE).until(() -> relay.status().intents().sourcesWaiting() == 0);
            store.writeIntents("parent", "child", 3, 1);
            await().atMost(PATIENCE)
                    .until(() -> store.ids("child", "orch_queue").size() == 1);

            // An intent goes a moment after its message has come.
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(store.ids("parent", "outbox_intent")).hasSize(1));
            assertThat(store.documents("parent", "outbox_intent"))
                    .singleElement()
                    .satisfies(
                            failed -> assertThat(failed.path("status").asText()).isEqualTo("failed"));
            assertThat(topics().deadLetterReasons()).containsExactly("the intent's document contains no reason");
        }
    }

    @Test
    void events_as_large_as_documents_may_be_are_published_whole_and_once() {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store)) {
            var expected = List.of(
                    store.writeGiantEvent("order-1", 1),
                    store.writeGiantEvent("order-1", 2),
                    store.writeGiantEvent("order-1", 3));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(topics().eventIds()).hasSizeGreaterThanOrEqualTo(3));

            assertThat(topics().events()).containsExactlyElementsOf(expected);
            assertThat(relay.status().problems()).isEmpty();
        }
    }
}
