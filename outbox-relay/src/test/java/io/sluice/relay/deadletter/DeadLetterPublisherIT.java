package io.sluice.relay.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.outbox.FailedIntent;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
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
    private static final int SOURCES = 12;
    private static final String UNLUCKY = "unlucky";

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
        return new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> letter) {
                return new String(letter.headers().lastHeader("sluice-id").value(), UTF_8).contains(UNLUCKY)
                        ? CompletableFuture.failedFuture(new RecordTooLargeException("larger than the topic takes"))
                        : super.send(letter);
            }
        };
    }

    private List<FailedIntent> unreported() {
        return failures.ranges().stream()
                .flatMap(range -> failures.unreported(range, null).failed().stream())
                .toList();
    }

    private static ObjectNode failed(String source, int number) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "intent:" + source + ":1:" + number)
                .put("instanceId", source)
                .put("type", "outbox_intent")
                .put("targetInstanceId", "target")
                .put("targetDocumentType", "orch_queue")
                .put("payload", "{}")
                .put("idempotencyKey", source + ":1:" + number)
                .put("status", "failed")
                .put("createdAt", 1_000)
                .put("attemptCount", 10);
    }

    @Test
    void that_nothing_can_be_published_is_a_problem_until_it_can() {
        for (int i = 0; i < 3; i++) {
            store.container().createItem(failed("source", i)).block();
        }
        reports.start();
        assertThat(reports.problem()).as("nothing has failed repeatedly yet").isNull();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(reports.problem()).contains("nobody answers"));
        isAway.set(false);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(reports.problem()).isNull());
        assertThat(unreported()).isEmpty();
    }

    @Test
    void a_partition_that_can_not_be_read_keeps_back_its_own_dead_letters_only() {
        var emulator = account.requireEmulator();
        var sick = new AtomicReference<@Nullable String>();
        for (int i = 0; i < SOURCES; i++) {
            store.container().createItem(failed("source-" + i, i)).block();
        }
        emulator.faults()
                .refuse(
                        request -> request.body().contains("c.reported") && isSick(sick, request.keyRange()),
                        0,
                        400,
                        0);
        isAway.set(false);

        reports.start();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(reports.problem()).isNotNull());
        emulator.faults().clear();
        assertThat(unreported()).as("only those of one partition").hasSizeBetween(1, SOURCES - 1);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(reports.problem()).isNull());
        assertThat(unreported()).isEmpty();
    }

    @Test
    void a_letter_that_kafka_refuses_keeps_back_no_letters_of_other_partitions() {
        for (int i = 0; i < SOURCES; i++) {
            store.container().createItem(failed("source-" + i, i)).block();
        }
        store.container().createItem(failed(UNLUCKY, 0)).block();
        isAway.set(false);

        reports.start();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(unreported())
                        .extracting(one -> one.intent().sourceInstance())
                        .containsExactly(UNLUCKY));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(reports.problem()).contains("larger than the topic takes"));
    }

    /** The partition that is asked first. */
    private static boolean isSick(AtomicReference<@Nullable String> sick, @Nullable String keyRange) {
        if (keyRange != null) {
            sick.compareAndSet(null, keyRange);
        }
        return keyRange != null && keyRange.equals(sick.get());
    }
}
