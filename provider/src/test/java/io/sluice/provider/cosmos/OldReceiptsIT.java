package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.document.PurgeDocument;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.outbox.CommandInbox;
import io.sluice.provider.outbox.InboxCommand;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Receipts where nothing expires by itself. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OldReceiptsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static CosmosStoreConfig config() {
        return new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
    }

    private static List<String> receipts(CosmosStore store) {
        return documents(store, "receipt");
    }

    private static List<String> documents(CosmosStore store, String type) {
        return Objects.requireNonNull(store.container()
                        .queryItems("SELECT c.id FROM c WHERE c.type = '" + type + "'", JsonNode.class)
                        .collectList()
                        .block())
                .stream()
                .map(receipt -> receipt.path("id").asText())
                .toList();
    }

    private static void accept(CosmosStore store, String commandId, Duration age) {
        var past = InstantSource.offset(InstantSource.system(), age.negated());
        new CommandInbox(store.container(), past)
                .accept(InboxCommand.of(commandId, new WorkItem.CancelInstance("order", "")), 0);
    }

    @Test
    void a_sweep_removes_receipts_past_their_life_where_time_to_live_is_off() {
        try (CosmosClient client = account.clientBuilder().buildClient()) {
            client.createDatabaseIfNotExists(account.database());
            client.getDatabase(account.database())
                    .createContainerIfNotExists(new CosmosContainerProperties(account.container(), "/instanceId"));
        }
        try (CosmosStore store = CosmosStore.open(config())) {
            accept(store, "old", Duration.ofDays(7).plusMinutes(1));
            accept(store, "young", Duration.ofDays(7).minusHours(1));
            long old = System.currentTimeMillis()
                    - Duration.ofDays(7).plusMinutes(1).toMillis();
            store.container()
                    .createItem(new PurgeDocument("order", "purge:order:1", true, old).toJson())
                    .block();
            // Of no writer of ours: it stays, and keeps no other.
            store.container()
                    .createItem(new PurgeDocument("order", "purge:order:2", true, old)
                            .toJson()
                            .put("instanceId", 5))
                    .block();
            assertThat(store.differences())
                    .anySatisfy(difference -> assertThat(difference).contains("defaultTtl to -1"));

            assertThat(new StoreSweep(store).removeOldReceipts()).isEqualTo(2);

            assertThat(receipts(store)).containsExactly("receipt:cmd:young");
            assertThat(documents(store, "purge")).containsExactly("purge:order:2");
            assertThat(new StoreSweep(store).removeOldReceipts()).isZero();
        }
    }

    @Test
    void a_receipt_that_was_written_anew_since_it_was_found_stays() {
        try (CosmosClient client = account.clientBuilder().buildClient()) {
            client.createDatabaseIfNotExists(account.database());
            client.getDatabase(account.database())
                    .createContainerIfNotExists(new CosmosContainerProperties(account.container(), "/instanceId"));
        }
        try (CosmosStore store = CosmosStore.open(config())) {
            Duration old = Duration.ofDays(7).plusMinutes(1);
            accept(store, "old", old);
            accept(store, "anew", old);
            Runnable anew = () -> {
                String id = "receipt:cmd:anew";
                store.container().deleteItem(id, new PartitionKey("order")).block();
                accept(store, "anew", Duration.ZERO);
            };

            try (NthRequest between = NthRequest.doing(
                    account.requireEmulator(), request -> request.operation() == RequestKind.BATCH, 1, anew)) {
                assertThat(new StoreSweep(store).removeOldReceipts()).isEqualTo(1);
                assertThat(between.happened()).isTrue();
            }

            assertThat(receipts(store)).containsExactly("receipt:cmd:anew");
        }
    }

    @Test
    void one_sweep_removes_however_many_there_are_a_hundred_at_a_time() {
        try (CosmosClient client = account.clientBuilder().buildClient()) {
            client.createDatabaseIfNotExists(account.database());
            client.getDatabase(account.database())
                    .createContainerIfNotExists(new CosmosContainerProperties(account.container(), "/instanceId"));
        }
        try (CosmosStore store = CosmosStore.open(config())) {
            long old = System.currentTimeMillis() - Duration.ofDays(8).toMillis();
            for (int target = 0; target < 12; target++) {
                var batch = CosmosBatch.createCosmosBatch(new PartitionKey("target-" + target));
                for (int i = 0; i < 100; i++) {
                    batch.createItemOperation(ReceiptDocument.delivered("receipt:" + i, "target-" + target, old, old)
                            .toJson());
                }
                store.container().executeCosmosBatch(batch).block();
            }
            account.requireEmulator().requests().clear();

            assertThat(new StoreSweep(store).removeOldReceipts()).isEqualTo(1_200);

            assertThat(receipts(store)).isEmpty();
            assertThat(account.requireEmulator()
                            .requests()
                            .matching(request -> request.operation() == RequestKind.BATCH))
                    .hasSizeLessThan(40);
        }
    }

    @Test
    void where_the_service_does_it_nothing_is_asked() {
        CosmosStore.provision(config());
        try (CosmosStore store = CosmosStore.open(config())) {
            account.requireEmulator().requests().clear();

            assertThat(new StoreSweep(store).removeOldReceipts()).isZero();

            assertThat(account.requireEmulator().requests().all()).isEmpty();
        }
    }
}
