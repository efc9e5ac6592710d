package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BatchIT {
    private static final PartitionKey A = new PartitionKey("a");

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    private CosmosContainer container;

    @BeforeEach
    void makeContainer() {
        container = EMULATOR.container();
    }

    @Test
    void an_item_that_is_renamed_leaves_its_id_to_another() {
        container.createItem(item("a", "first").put("n", 1));
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.replaceItemOperation("first", item("a", "renamed").put("n", 1));
        batch.createItemOperation(item("a", "first").put("n", 2));

        assertThat(container.executeCosmosBatch(batch).isSuccessStatusCode()).isTrue();

        assertThat(container
                        .readItem("renamed", A, ObjectNode.class)
                        .getItem()
                        .path("n")
                        .asInt())
                .isEqualTo(1);
        assertThat(container
                        .readItem("first", A, ObjectNode.class)
                        .getItem()
                        .path("n")
                        .asInt())
                .isEqualTo(2);
        assertThat(query(container, "SELECT * FROM c WHERE c.pk = 'a'")).hasSize(2);
    }

    @Test
    void does_every_kind_of_operation_and_answers_each() {
        container.createItem(item("a", "read").put("n", 1));
        container.createItem(item("a", "replaced"));
        container.createItem(item("a", "patched").put("n", 1));
        container.createItem(item("a", "deleted"));
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "created"));
        batch.upsertItemOperation(item("a", "upserted"));
        batch.readItemOperation("read");
        batch.replaceItemOperation("replaced", item("a", "replaced").put("n", 2));
        batch.patchItemOperation("patched", CosmosPatchOperations.create().increment("/n", 1));
        batch.deleteItemOperation("deleted");

        var answer = container.executeCosmosBatch(batch);

        assertThat(answer.getStatusCode()).isEqualTo(200);
        assertThat(statuses(answer.getResults())).containsExactly(201, 201, 200, 200, 200, 204);
        assertThat(answer.getResults().get(0).getETag()).isNotEmpty();
        assertThat(answer.getResults()
                        .get(2)
                        .getItem(ObjectNode.class)
                        .path("n")
                        .asInt())
                .isEqualTo(1);
        assertThat(answer.getResults()
                        .get(4)
                        .getItem(ObjectNode.class)
                        .path("n")
                        .asInt())
                .isEqualTo(2);
        assertThat(answer.getResults())
                .allSatisfy(result -> assertThat(result.getRequestCharge()).isPositive());
        assertThat(answer.getRequestCharge()).isCloseTo(3 * 4.95 + 2 * 9.9 + 1, within(0.001));
        assertThat(answer.getSessionToken()).isNotEmpty();
        assertThat(all()).hasSize(5);
    }

    @Test
    void sees_its_own_earlier_writes() {
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "1").put("n", 1));
        batch.patchItemOperation("1", CosmosPatchOperations.create().increment("/n", 1));
        batch.readItemOperation("1");
        batch.deleteItemOperation("1");
        batch.createItemOperation(item("a", "1").put("n", 9));

        var answer = container.executeCosmosBatch(batch);

        assertThat(answer.getResults()
                        .get(2)
                        .getItem(ObjectNode.class)
                        .path("n")
                        .asInt())
                .isEqualTo(2);
        assertThat(all()).singleElement().returns(9, item -> item.path("n").asInt());
    }

    @Test
    void an_operation_that_fails_undoes_the_others() {
        var taken = container.createItem(item("a", "taken"));
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "1"));
        batch.patchItemOperation("taken", CosmosPatchOperations.create().set("/n", 1));
        batch.createItemOperation(item("a", "taken"));
        batch.createItemOperation(item("a", "2"));

        var answer = container.executeCosmosBatch(batch);

        assertThat(answer.getStatusCode()).isEqualTo(409);
        assertThat(statuses(answer.getResults())).containsExactly(424, 424, 409, 424);
        assertThat(all())
                .singleElement()
                .returns(taken.getETag(), item -> item.path("_etag").asText());
    }

    @Test
    void a_condition_that_does_not_hold_undoes_the_others() {
        var first = container.createItem(item("a", "lock"));
        container.replaceItem(item("a", "lock").put("n", 1), "lock", A, null);
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "1"));
        batch.replaceItemOperation(
                "lock",
                item("a", "lock").put("n", 2),
                new CosmosBatchItemRequestOptions().setIfMatchETag(first.getETag()));

        var answer = container.executeCosmosBatch(batch);

        assertThat(answer.getStatusCode()).isEqualTo(412);
        assertThat(statuses(answer.getResults())).containsExactly(424, 412);
        assertThat(all()).singleElement().returns(1, item -> item.path("n").asInt());
    }

    @Test
    void a_version_that_has_changed_is_not_deleted() {
        var first = container.createItem(item("a", "lock"));
        container.replaceItem(item("a", "lock").put("n", 1), "lock", A, null);
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "1"));
        batch.deleteItemOperation("lock", new CosmosBatchItemRequestOptions().setIfMatchETag(first.getETag()));

        var answer = container.executeCosmosBatch(batch);

        assertThat(answer.getStatusCode()).isEqualTo(412);
        assertThat(statuses(answer.getResults())).containsExactly(424, 412);
        assertThat(all()).singleElement().returns(1, item -> item.path("n").asInt());
    }

    @Test
    void a_patch_that_does_not_apply_undoes_the_others() {
        container.createItem(item("a", "1").put("state", "closed"));
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "2"));
        batch.patchItemOperation(
                "1",
                CosmosPatchOperations.create().set("/state", "open"),
                new CosmosBatchPatchItemRequestOptions().setFilterPredicate("from c where c.state = 'open'"));

        assertThat(container.executeCosmosBatch(batch).getStatusCode()).isEqualTo(412);
        assertThat(all()).hasSize(1);
    }

    @Test
    void holds_a_hundred_operations_and_no_more() {
        assertThat(container.executeCosmosBatch(creations(0, 100)).getStatusCode())
                .isEqualTo(200);
        assertRefused(() -> container.executeCosmosBatch(creations(100, 101)), 400);
        assertThat(all()).hasSize(100);
    }

    @Test
    void is_refused_over_two_megabytes() {
        var batch = CosmosBatch.createCosmosBatch(A);
        for (int i = 0; i < 3; i++) {
            batch.createItemOperation(item("a", "" + i).put("text", "x".repeat(900_000)));
        }

        assertRefused(() -> container.executeCosmosBatch(batch), 413);
        assertThat(all()).isEmpty();
    }

    /** Writers move amounts between two accounts; every reader always finds the same sum. */
    @Test
    void is_whole_for_concurrent_readers_and_writers() throws Exception {
        container.createItem(item("a", "left").put("n", 500));
        container.createItem(item("a", "right").put("n", 500));
        int writers = 4;
        int readers = 2;
        int turns = 50;
        var pool = Executors.newFixedThreadPool(writers + readers);
        try {
            var work = new ArrayList<Callable<List<Integer>>>();
            for (int w = 0; w < writers; w++) {
                var random = new SplittableRandom(w);
                work.add(() -> move(random, turns));
            }
            for (int r = 0; r < readers; r++) {
                work.add(() -> sums(turns));
            }

            var sums = new ArrayList<Integer>();
            for (Future<List<Integer>> done : pool.invokeAll(work)) {
                sums.addAll(done.get());
            }

            assertThat(sums).hasSize(readers * turns).containsOnly(1000);
            assertThat(sum()).isEqualTo(1000);
            assertThat(all().stream().mapToInt(item -> item.path("moves").asInt()))
                    .containsOnly(writers * turns);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void bulk_operations_stand_each_for_itself() {
        container.createItem(item("k1", "taken"));
        var operations = new ArrayList<CosmosItemOperation>();
        for (int i = 0; i < 50; i++) {
            operations.add(
                    CosmosBulkOperations.getCreateItemOperation(item("k" + i, "new"), new PartitionKey("k" + i)));
        }
        operations.add(CosmosBulkOperations.getCreateItemOperation(item("k1", "taken"), new PartitionKey("k1")));

        var statuses = StreamSupport.stream(
                        container.executeBulkOperations(operations).spliterator(), false)
                .map(answer -> answer.getResponse().getStatusCode())
                .toList();

        assertThat(statuses).hasSize(51).containsOnly(201, 409).containsOnlyOnce(409);
        assertThat(query(container, "SELECT * FROM c")).hasSize(51);
    }

    private List<Integer> move(SplittableRandom random, int turns) {
        for (int i = 0; i < turns; i++) {
            int amount = random.nextInt(-20, 21);
            var batch = CosmosBatch.createCosmosBatch(A);
            batch.patchItemOperation(
                    "left",
                    CosmosPatchOperations.create().increment("/n", -amount).increment("/moves", 1));
            batch.patchItemOperation(
                    "right",
                    CosmosPatchOperations.create().increment("/n", amount).increment("/moves", 1));
            assertThat(container.executeCosmosBatch(batch).getStatusCode()).isEqualTo(200);
        }
        return List.of();
    }

    private List<Integer> sums(int turns) {
        var sums = new ArrayList<Integer>();
        for (int i = 0; i < turns; i++) {
            sums.add(sum());
        }
        return sums;
    }

    private int sum() {
        return all().stream().mapToInt(item -> item.path("n").asInt()).sum();
    }

    private List<JsonNode> all() {
        return query(container, "SELECT * FROM c", new CosmosQueryRequestOptions().setPartitionKey(A));
    }

    private static CosmosBatch creations(int from, int count) {
        var batch = CosmosBatch.createCosmosBatch(A);
        for (int i = from; i < from + count; i++) {
            batch.createItemOperation(item("a", "item-" + i));
        }
        return batch;
    }

    private static List<Integer> statuses(List<CosmosBatchOperationResult> results) {
        return results.stream().map(CosmosBatchOperationResult::getStatusCode).toList();
    }
}
