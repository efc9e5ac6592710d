package io.sluice.provider.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** However many intents are given back to other writers, it takes little memory and few requests. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClaimedIntentsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final int SOURCES = 5;
    private static final int OF_A_SOURCE = 230;
    private static final int BATCH = 100;
    private static final int MOST_OF_A_PAGE = 1_000;
    private static final int LARGE_PAYLOAD = 4_000;
    private static final int SMALL_ROW = 400;

    private CosmosStore store;
    private IntentOutbox outbox;

    @BeforeEach
    void open() {
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        outbox = new IntentOutbox(store.container(), InstantSource.system());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static ObjectNode intent(String source, int position, String status) {
        var key = "%s:1:0123456789abcdef.%06d".formatted(source, position);
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "intent:" + key)
                .put("instanceId", source)
                .put("type", "outbox_intent")
                .put("targetInstanceId", "target")
                .put("targetDocumentType", "orch_queue")
                .put("payload", "x".repeat(LARGE_PAYLOAD))
                .put("idempotencyKey", key)
                .put("status", status)
                .put("createdAt", 1_000)
                .put("attemptCount", 0);
    }

    private void write(String source, int from, int count, String status) {
        for (int first = from; first < from + count; first += BATCH) {
            var batch = CosmosBatch.createCosmosBatch(new PartitionKey(source));
            for (int position = first; position < Math.min(from + count, first + BATCH); position++) {
                batch.createItemOperation(intent(source, position, status));
            }
            assertThat(store.container().executeCosmosBatch(batch).block())
                    .returns(true, answer -> answer.isSuccessStatusCode());
        }
    }

    private long count(String status) {
        return store
                .container()
                .queryItems(
                        "SELECT VALUE COUNT(1) FROM c WHERE c.status = '" + status + "'",
                        new CosmosQueryRequestOptions(),
                        Long.class)
                .collectList()
                .blockOptional()
                .orElseThrow()
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private List<LoggedRequest> requests(RequestKind kind) {
        return account.requireEmulator()
                .requests()
                .matching(request -> request.operation() == kind)
                .toList();
    }

    @Test
    void many_are_given_back_page_by_page_and_batch_by_batch() {
        for (int source = 0; source < SOURCES; source++) {
            write("source-" + source, 0, OF_A_SOURCE, "queued");
        }
        write("source-0", OF_A_SOURCE, 3, "failed");
        account.requireEmulator().requests().clear();

        assertThat(outbox.release()).isEqualTo(SOURCES * OF_A_SOURCE);

        assertThat(requests(RequestKind.BATCH))
                .as("a batch for each hundred of a source, and a page may end in the middle of one")
                .hasSizeLessThanOrEqualTo(SOURCES * (OF_A_SOURCE / BATCH + 2));
        assertThat(requests(RequestKind.QUERY)).allSatisfy(page -> {
            assertThat(page.itemCount()).isLessThanOrEqualTo(MOST_OF_A_PAGE);
            assertThat(page.bytesOut()).as("no payloads").isLessThan(SMALL_ROW * (page.itemCount() + 1));
        });
        assertThat(count("pending")).isEqualTo(SOURCES * OF_A_SOURCE);
        assertThat(count("queued")).isZero();
        assertThat(count("failed")).isEqualTo(3);
    }

    @Test
    void nothing_to_give_back_is_no_write() {
        write("source-0", 0, 2, "pending");
        account.requireEmulator().requests().clear();

        assertThat(outbox.release()).isZero();

        assertThat(requests(RequestKind.BATCH)).isEmpty();
        assertThat(count("pending")).isEqualTo(2);
    }
}
