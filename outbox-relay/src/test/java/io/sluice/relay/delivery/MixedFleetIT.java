package io.sluice.relay.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.TestDocuments;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.partition.PartitionCircuits;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Beside a Rust process, which is played by plain writes of its documents, and what else strangers leave in the
 * container.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MixedFleetIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final String SOURCE = "source";
    private static final String TARGET = "target";

    private final AtomicLong ahead = new AtomicLong();
    private final MalformedCount malformed = new MalformedCount();
    private CosmosStore store;
    private IntentOutbox outbox;
    private FailedIntents failures;
    private SourceDrain drain;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        outbox = new IntentOutbox(store.container(), store.clock());
        failures = new FailedIntents(store.container(), store.clock());
        InstantSource clock = () -> store.clock().instant().plusMillis(ahead.get());
        var guarded = new GuardedOutbox(
                new StoreOutbox(outbox, failures, true),
                new PartitionCircuits(IntentExamples.onePartition(), RelayMemory.ofHeap()),
                RelayMemory.ofHeap(),
                (source, slice, first) -> malformed.record(source, slice.malformed(), first));
        var step = new IntentStep(
                guarded,
                new DeliveryPolicy(2, Duration.ofDays(3), true),
                new RetryBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), new SplittableRandom(1)),
                new DeliveryCounters(millis -> {}, () -> {}),
                clock);
        drain = new SourceDrain(guarded, IntentExamples.inline(step, clock), RelayMemory.ofHeap(), clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** As Rust leaves it: a random id in the payload, keys that count anew, no fields of ours. */
    private ObjectNode rustIntent(String key, String documentId) {
        long now = store.clock().millis();
        var payload = QueueDocuments.message("test", documentId, new WorkItem.CancelInstance(TARGET, ""), now, now)
                .toJson();
        return TestDocuments.intent(key, SOURCE, TARGET, payload, now).putNull("lastAttemptAt");
    }

    private void write(JsonNode document) {
        store.container().createItem(document).block();
    }

    private List<JsonNode> query(String partition, String condition) {
        return Objects.requireNonNull(store.container()
                .queryItems(
                        "SELECT * FROM c WHERE " + condition,
                        new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(partition)),
                        JsonNode.class)
                .collectList()
                .block());
    }

    private List<JsonNode> queue() {
        return query(TARGET, "c.type = 'orch_queue'");
    }

    private List<JsonNode> reconcilable() {
        return query(SOURCE, "c.type = 'outbox_intent' AND c.status = 'pending'");
    }

    private void consume() {
        queue().forEach(message -> store.container()
                .deleteItem(message.path("id").asText(), new PartitionKey(TARGET), new CosmosItemRequestOptions())
                .block());
    }

    private void drainAfter(Duration pause) {
        ahead.addAndGet(pause.toMillis());
        drain.run(SOURCE, () -> true);
    }

    @Test
    void what_rust_wrote_is_claimed_and_then_delivered_once() {
        write(rustIntent("source:1:0", "random-1"));

        drainAfter(Duration.ofSeconds(6));
        assertThat(reconcilable()).as("its reconciler finds it no more").isEmpty();
        assertThat(queue()).isEmpty();
        drainAfter(Duration.ofSeconds(6));

        assertThat(queue()).extracting(message -> message.path("id").asText()).containsExactly("random-1");
        assertThat(query(TARGET, "c.type = 'receipt'")).hasSize(1);
        assertThat(outbox.undelivered(SOURCE)).isEmpty();
    }

    @Test
    void what_its_writer_left_is_claimed_before_a_reconciler_may_read_it_and_delivered_after_three_seconds() {
        write(rustIntent("source:1:0", "random-1"));

        drainAfter(Duration.ofMillis(400));
        assertThat(reconcilable()).as("its writer's own try").hasSize(1);
        drainAfter(Duration.ofMillis(700));
        assertThat(reconcilable()).isEmpty();
        drainAfter(Duration.ofSeconds(1));
        assertThat(queue()).as("its writer may still be at it").isEmpty();
        drainAfter(Duration.ofMillis(1_100));

        assertThat(queue()).hasSize(1);
        assertThat(outbox.undelivered(SOURCE)).isEmpty();
    }

    @Test
    void five_of_one_pair_are_delivered_in_order_three_seconds_after_their_turn() {
        for (int i = 0; i < 5; i++) {
            write(rustIntent("source:1:" + i, "random-" + i));
        }

        drainAfter(Duration.ofMillis(1_200));
        assertThat(reconcilable()).as("no reconciler reads any of them").isEmpty();
        drainAfter(Duration.ofMillis(2_500));

        assertThat(queue())
                .extracting(message -> message.path("id").asText())
                .containsExactly("random-0", "random-1", "random-2", "random-3", "random-4");
        assertThat(outbox.undelivered(SOURCE)).isEmpty();
    }

    @Test
    void a_reconciler_that_had_read_it_before_and_the_relay_make_one_document() {
        var intent = rustIntent("source:1:0", "random-1");
        write(intent);
        drainAfter(Duration.ofSeconds(6));

        store.container()
                .createItem(JsonNodeFactory.instance
                        .objectNode()
                        .put("id", "random-1")
                        .put("instanceId", TARGET)
                        .put("type", "orch_queue")
                        .put("workItem", "{}"))
                .block();
        drainAfter(Duration.ofSeconds(6));

        assertThat(queue()).hasSize(1);
        consume();
        write(intent);
        drainAfter(Duration.ofSeconds(6));
        drainAfter(Duration.ofSeconds(6));
        assertThat(queue()).as("the receipt outlives what Rust created").isEmpty();
    }

    @Test
    void what_was_claimed_can_be_given_back() {
        write(rustIntent("source:1:0", "random-1"));
        drainAfter(Duration.ofSeconds(6));

        assertThat(outbox.release()).isEqualTo(1);

        assertThat(reconcilable()).hasSize(1);
        assertThat(outbox.release()).isZero();
    }

    @Test
    void documents_that_make_no_sense_are_left_or_given_up_and_the_others_go_on() {
        write(rustIntent("source:1:1", "random-1").put("createdAt", "yesterday"));
        write(rustIntent("source:1:2", "random-2").without("payload"));
        write(rustIntent("source:1:3", "random-3").putNull("targetInstanceId"));
        write(rustIntent("source:1:4", "random-4").put("payload", "{torn"));
        write(rustIntent("source:1:5", "random-5").put("payload", "[]"));
        write(rustIntent("source:1:6", "random-6").put("targetInstanceId", "a/b"));
        write(rustIntent("source:1:7", "random-7").put("attemptCount", "many").put("nextAttemptAt", "soon"));
        write(rustIntent("source:1:8", "random-8")
                .put("deliverAfter", Long.MAX_VALUE / 2)
                .put("targetInstanceId", "far"));

        for (int drain = 0; drain < 8; drain++) {
            drainAfter(Duration.ofSeconds(6));
        }

        assertThat(queue())
                .extracting(message -> message.path("id").asText())
                .as("what can be read is delivered, behind what was given up")
                .containsExactly("random-7");
        assertThat(failures.newest(null, 10, null).failed())
                .extracting(failed -> failed.intent().key())
                .containsExactlyInAnyOrder("source:1:4", "source:1:5", "source:1:6");
        assertThat(query(SOURCE, "c.type = 'outbox_intent' AND c.status = 'pending'"))
                .extracting(intent -> intent.path("idempotencyKey").asText())
                .as("nobody can deliver these")
                .contains("source:1:1", "source:1:2", "source:1:3");
        assertThat(malformed.total()).isEqualTo(3);
    }
}
