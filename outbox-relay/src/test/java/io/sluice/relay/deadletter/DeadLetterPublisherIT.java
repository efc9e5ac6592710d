package io.sluice.relay.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeadLetterPublisherIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicBoolean isAway = new AtomicBoolean(true);
    private CosmosStore store;
    private FailedIntents failures;
    private DeadLetterPublisher reports;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        failures = new FailedIntents(store.container(), store.clock());
        reports = new DeadLetterPublisher(
                failures, this::producer, "letters", Duration.ofMillis(100), Duration.ofSeconds(5));
    }

    @AfterEach
    void close() {
        reports.close();
        store.close();
    }

    private Producer<byte[], byte[]> producer() {
        if (isAway.get()) {
            throw new KafkaException("nobody answers");
        }
        return new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static ObjectNode failed(int number) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "intent:source:1:" + number)
                .put("instanceId", "source")
                .put("type", "outbox_intent")
                .put("targetInstanceId", "target")
                .put("targetDocumentType", "orch_queue")
                .put("payload", "{}")
                .put("idempotencyKey", "source:1:" + number)
                .put("status", "failed")
                .put("createdAt", 1_000)
                .put("attemptCount", 10);
    }

    @Test
    void that_nothing_can_be_published_is_a_problem_until_it_can() {
        for (int i = 0; i < 3; i++) {
            store.container().createItem(failed(i)).block();
        }
        reports.start();
        assertThat(reports.problem()).as("nothing has failed repeatedly yet").isNull();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(reports.problem()).contains("nobody answers"));
        isAway.set(false);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(reports.problem()).isNull());
        assertThat(failures.unreported(null).failed()).isEmpty();
    }
}
