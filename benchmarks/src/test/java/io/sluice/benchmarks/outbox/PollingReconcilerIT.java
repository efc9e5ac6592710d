package io.sluice.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the others are compared with must really deliver, and as the original does. */
class PollingReconcilerIT {
    private static final long NOW = 1_740_000_000_000L;
    private static final long OLD_ENOUGH = NOW - PollingReconciler.THRESHOLD.toMillis();

    private EmulatedStore emulated;
    private CosmosStore store;
    private CosmosAsyncContainer container;
    private PollingReconciler reconciler;

    @BeforeEach
    void open() {
        emulated = EmulatedStore.start(1);
        store = CosmosStore.open(emulated.container("outbox"));
        container = store.container();
        reconciler = new PollingReconciler(container, InstantSource.fixed(Instant.ofEpochMilli(NOW)));
    }

    @AfterEach
    void close() {
        reconciler.close();
        store.close();
        emulated.close();
    }

    @Test
    void delivers_what_is_old_enough_one_by_one_and_deletes_it() {
        commit("a", OLD_ENOUGH - 1);
        commit("b", OLD_ENOUGH);
        commit("young", OLD_ENOUGH + 1);
        emulated.forget();

        assertThat(reconciler.look()).isEqualTo(2);

        assertThat(writes()).containsExactly("create:target-a", "delete:a", "create:target-b", "delete:b");
        assertThat(ids("orch_queue")).containsExactlyInAnyOrder("outbox:a", "outbox:b");
        assertThat(ids("outbox_intent")).containsExactly("intent:young");
    }

    @Test
    void takes_a_document_that_is_there_already_for_delivered() {
        commit("a", OLD_ENOUGH);
        emulated.emulator().faults().refuse(request -> request.operation() == RequestKind.ITEM_DELETE, 1, 400, 0);

        assertThat(reconciler.look()).isZero();
        assertThat(ids("outbox_intent")).containsExactly("intent:a");
        assertThat(reconciler.look()).isEqualTo(1);

        assertThat(ids("orch_queue")).containsExactly("outbox:a");
        assertThat(ids("outbox_intent")).isEmpty();
    }

    @Test
    void creates_a_consumed_document_again_when_its_intent_could_not_be_deleted() {
        commit("a", OLD_ENOUGH);
        emulated.emulator().faults().refuse(request -> request.operation() == RequestKind.ITEM_DELETE, 1, 400, 0);
        reconciler.look();
        container.deleteItem("outbox:a", new PartitionKey("target-a")).block();

        reconciler.look();

        assertThat(ids("orch_queue"))
                .as("there is no receipt, as in the original")
                .containsExactly("outbox:a");
    }

    @Test
    void goes_on_behind_an_intent_that_fails() {
        commit("a", OLD_ENOUGH - 1);
        commit("b", OLD_ENOUGH);
        emulated.emulator().faults().refuse(request -> "outbox:a".equals(request.itemId()), 1, 400, 0);

        assertThat(reconciler.look()).isEqualTo(1);
        assertThat(ids("outbox_intent")).containsExactly("intent:a");
        assertThat(reconciler.look()).isEqualTo(1);

        assertThat(ids("orch_queue")).containsExactlyInAnyOrder("outbox:a", "outbox:b");
    }

    private void commit(String source, long createdAt) {
        var message = JsonNodeFactory.instance
                .objectNode()
                .put("id", "outbox:" + source)
                .put("instanceId", "target-" + source)
                .put("type", "orch_queue");
        ObjectNode intent = JsonNodeFactory.instance
                .objectNode()
                .put("id", "intent:" + source)
                .put("instanceId", source)
                .put("type", "outbox_intent")
                .put("targetInstanceId", "target-" + source)
                .put("payload", message.toString())
                .put("status", "pending")
                .put("createdAt", createdAt);
        container.createItem(intent, new PartitionKey(source), null).block();
    }

    /** The writes that were asked for, by partition key. */
    private List<String> writes() {
        return emulated.asked().stream()
                .filter(request -> request.operation().isWrite())
                .map(request -> (request.operation() == RequestKind.ITEM_CREATE ? "create:" : "delete:")
                        + String.valueOf(request.partitionKey()).replaceAll("[\\[\\]\"]", ""))
                .toList();
    }

    private List<String> ids(String type) {
        return container
                .queryItems(
                        "SELECT c.id FROM c WHERE c.type = '" + type + "'",
                        new CosmosQueryRequestOptions(),
                        JsonNode.class)
                .map(row -> row.path("id").asText())
                .collectList()
                .block();
    }
}
