package io.sluice.relay.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.testkit.CosmosAccount;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator does while the dead letter is changed by its publication. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeadLetterAdminIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private CosmosStore store;
    private DeadLetterAdmin admin;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        admin = new DeadLetterAdmin(new FailedIntents(store.container(), store.clock()), 100);
        store.container().createItem(failed()).block();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static ObjectNode failed() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "intent:source:1:0")
                .put("instanceId", "source")
                .put("type", "outbox_intent")
                .put("targetInstanceId", "target")
                .put("targetDocumentType", "orch_queue")
                .put("payload", "{}")
                .put("idempotencyKey", "source:1:0")
                .put("status", "failed")
                .put("createdAt", 1_000)
                .put("attemptCount", 10);
    }

    @Test
    void one_that_is_published_meanwhile_is_retried() {
        publishAfterRead(1);

        assertThat(admin.retry("source:1:0")).isEqualTo(DeadLetterAdmin.Outcome.DONE);

        assertThat(read().path("status").asText()).isNotEqualTo("failed");
    }

    @Test
    void one_that_is_published_meanwhile_is_discarded() {
        publishAfterRead(1);

        assertThat(admin.discard("source:1:0")).isEqualTo(DeadLetterAdmin.Outcome.DONE);

        assertThat(admin.find("source:1:0")).isEmpty();
    }

    @Test
    void one_that_changes_each_time_is_left() {
        publishAfterRead(0);

        assertThat(admin.discard("source:1:0")).isEqualTo(DeadLetterAdmin.Outcome.GONE);

        assertThat(read().path("status").asText()).isEqualTo("failed");
    }

    /** After the query that finds it so many times; 0 for each. */
    private void publishAfterRead(int nth) {
        var faults = account.requireEmulator().faults();
        faults.clear();
        faults.runAfter(
                request -> request.operation() == RequestKind.QUERY,
                nth,
                request -> store.container()
                        .patchItem(
                                "intent:source:1:0",
                                new PartitionKey("source"),
                                CosmosPatchOperations.create().set("/reported", true),
                                JsonNode.class)
                        .block());
    }

    private JsonNode read() {
        return store.container()
                .readItem("intent:source:1:0", new PartitionKey("source"), JsonNode.class)
                .block()
                .getItem();
    }
}
