package io.sluice.emulator;

import static io.sluice.emulator.Clients.assertRefused;
import static io.sluice.emulator.Clients.item;
import static io.sluice.emulator.Clients.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class FaultsIT {
    private static final PartitionKey A = new PartitionKey("a");

    @RegisterExtension
    static final RunningEmulator EMULATOR = RunningEmulator.inMemory();

    /** More than the emulator has threads to serve requests. */
    private static final int MANY = 24;

    private final ExecutorService threads = Executors.newFixedThreadPool(MANY);

    private CosmosContainer container;
    private Faults faults;
    private RequestLog log;

    @BeforeEach
    void makeContainer() {
        container = EMULATOR.container();
        container.upsertItem(item("warm", "up"));
        faults = EMULATOR.emulator().faults();
        log = EMULATOR.emulator().requests();
        log.clear();
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void the_nth_request_is_refused_and_does_not_apply() {
        var rule = faults.refuse(FaultsIT::isCreation, 2, 400, 9);

        container.createItem(item("a", "1"));
        assertRefused(() -> container.createItem(item("a", "2")), 400);
        container.createItem(item("a", "3"));

        assertRefused(() -> container.readItem("2", A, ObjectNode.class), 404);
        assertThat(rule.hits()).isEqualTo(1);
        assertThat(log.matching(request -> "refuse".equals(request.fault())))
                .singleElement()
                .returns("2", LoggedRequest::itemId)
                .returns(400, LoggedRequest::status)
                .returns(9, LoggedRequest::subStatus);
    }

    @Test
    void every_request_is_refused_until_the_rule_is_removed() {
        var rule = faults.refuse(FaultsIT::isCreation, 0, 412, 0);
        assertRefused(() -> container.createItem(item("a", "1")), 412);
        assertRefused(() -> container.createItem(item("a", "1")), 412);

        rule.remove();

        assertThat(container.createItem(item("a", "1")).getStatusCode()).isEqualTo(201);
        assertThat(rule.hits()).isEqualTo(2);
    }

    @Test
    void a_throttled_request_is_tried_again_by_the_client() {
        faults.refuse(FaultsIT::isCreation, 1, 429, 3200);

        assertThat(container.createItem(item("a", "1")).getStatusCode()).isEqualTo(201);
        assertThat(log.matching(FaultsIT::isCreation).map(LoggedRequest::status))
                .containsExactly(429, 201);
    }

    @Test
    void a_lost_answer_leaves_the_write_applied() {
        faults.loseAnswer(FaultsIT::isCreation, 1);

        assertThatThrownBy(() -> container.createItem(item("a", "1"))).isInstanceOf(CosmosException.class);

        assertThat(container.readItem("1", A, ObjectNode.class).getStatusCode()).isEqualTo(200);
        assertThat(log.matching(FaultsIT::isCreation))
                .as("a client must not repeat a write whose answer was lost")
                .singleElement()
                .returns(201, LoggedRequest::status)
                .returns("loseAnswer", LoggedRequest::fault);
    }

    @Test
    void a_batch_whose_answer_is_lost_has_applied_whole() {
        faults.loseAnswer(request -> request.operation() == RequestKind.BATCH, 1);
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "1"));
        batch.createItemOperation(item("a", "2"));

        assertThatThrownBy(() -> container.executeCosmosBatch(batch)).isInstanceOf(CosmosException.class);

        assertThat(query(container, "SELECT * FROM c WHERE c.pk = 'a'")).hasSize(2);
    }

    @Test
    void a_write_that_is_answered_with_another_status_has_applied() {
        faults.answerInstead(FaultsIT::isCreation, 1, 408, 0);

        assertRefused(() -> container.createItem(item("a", "1")), 408);

        assertThat(container.readItem("1", A, ObjectNode.class).getStatusCode()).isEqualTo(200);
        assertThat(log.matching(FaultsIT::isCreation))
                .singleElement()
                .returns(201, LoggedRequest::status)
                .returns("answerInstead", LoggedRequest::fault);
    }

    @Test
    void a_dropped_connection_leaves_the_write_undone() {
        faults.dropConnection(FaultsIT::isCreation, 1);

        assertThatThrownBy(() -> container.createItem(item("a", "1"))).isInstanceOf(CosmosException.class);

        assertRefused(() -> container.readItem("1", A, ObjectNode.class), 404);
        assertThat(log.matching(FaultsIT::isCreation)).singleElement().returns(0, LoggedRequest::status);
    }

    @Test
    void a_delayed_request_goes_on() {
        faults.delay(FaultsIT::isCreation, 1, Duration.ofMillis(300));
        long start = System.nanoTime();

        container.createItem(item("a", "1"));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(log.matching(FaultsIT::isCreation)).singleElement().returns("delay", LoggedRequest::fault);
    }

    @Test
    void a_request_applies_although_its_client_goes_away_meanwhile() throws InterruptedException {
        var reached = new CountDownLatch(1);
        var gone = new CountDownLatch(1);
        faults.refuse(request -> isCreation(request) && holds(reached, gone), 0, 400, 0);
        var client = new Thread(() ->
                assertThatThrownBy(() -> container.createItem(item("a", "1"))).isInstanceOf(RuntimeException.class));
        client.start();
        reached.await();
        client.interrupt();
        client.join();

        gone.countDown();

        await().until(() -> log.matching(FaultsIT::isCreation).findAny().isPresent());
        assertThat(container.readItem("1", A, ObjectNode.class).getStatusCode()).isEqualTo(200);
    }

    private static boolean holds(CountDownLatch reached, CountDownLatch gone) {
        reached.countDown();
        try {
            gone.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return false;
    }

    @Test
    void a_rule_that_fails_fatally_fails_the_request() {
        var rule = faults.refuse(request -> isCreation(request) && hasOverflowed(), 1, 429, 0);

        assertRefused(() -> container.createItem(item("a", "1")), 500);

        rule.remove();
        assertThat(container.createItem(item("a", "1")).getStatusCode()).isEqualTo(201);
    }

    private static boolean hasOverflowed() {
        throw new StackOverflowError("ordered by a test");
    }

    @Test
    void rules_see_the_request_before_its_answer() {
        var rule = faults.refuse(
                request -> request.status() == 0
                        && request.operation() == RequestKind.BATCH
                        && request.body().contains("create:special")
                        && "[\"a\"]".equals(request.partitionKey()),
                1,
                400,
                0);
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", "special"));

        assertRefused(() -> container.executeCosmosBatch(batch), 400);
        assertThat(rule.hits()).isEqualTo(1);
    }

    @Test
    void a_partition_splits_while_a_batch_is_in_flight() {
        var partitions = EMULATOR.emulator().partitions();
        var ranges = partitions.of("tests", container.getId());
        faults.runBefore(FaultsIT::isBatch, 1, partitions::splitOf);
        faults.runAfter(FaultsIT::isBatch, 2, partitions::splitOf);

        container.executeCosmosBatch(batchWith("1", "2"));
        assertThat(partitions.of("tests", container.getId())).hasSize(ranges.size() + 1);
        container.executeCosmosBatch(batchWith("3", "4"));

        assertThat(partitions.of("tests", container.getId())).hasSize(ranges.size() + 2);
        assertThat(Clients.ids(query(container, "SELECT * FROM c WHERE c.pk = 'a'")))
                .containsExactly("1", "2", "3", "4");
        assertThat(log.matching(FaultsIT::isBatch))
                .extracting(LoggedRequest::fault)
                .containsExactly("runBefore", "runAfter");
    }

    @Test
    void another_client_writes_while_a_request_is_in_flight() {
        var read = container.createItem(item("a", "1"));
        faults.runBefore(
                request -> request.operation() == RequestKind.ITEM_REPLACE,
                1,
                request -> container.upsertItem(item("a", "1").put("by", "another")));

        assertRefused(
                () -> container.replaceItem(
                        item("a", "1"), "1", A, new CosmosItemRequestOptions().setIfMatchETag(read.getETag())),
                412);
    }

    @Test
    void work_that_fails_in_between_is_answered_with_500() {
        faults.runBefore(FaultsIT::isCreation, 1, request -> {
            throw new IllegalStateException("the test's fault");
        });

        faults.runAfter(
                FaultsIT::isCreation,
                2,
                request -> assertThat(request.itemId())
                        .as("a failed assertion is an Error")
                        .isEqualTo("another"));

        assertRefused(() -> container.createItem(item("a", "1")), 500);
        assertRefused(() -> container.readItem("1", A, ObjectNode.class), 404);
        assertRefused(() -> container.createItem(item("a", "2")), 500);
        assertThat(container.readItem("2", A, ObjectNode.class).getStatusCode()).isEqualTo(200);
        assertThatThrownBy(() -> EMULATOR.emulator().partitions().splitOf(aListing()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void many_requests_wait_for_requests_of_a_test() {
        var all = new CountDownLatch(MANY);
        faults.runBefore(FaultsIT::isCreation, 0, request -> {
            all.countDown();
            await().until(() -> all.getCount() == 0);
            container.upsertItem(item("a", "beside-" + request.itemId()));
        });

        var creations = IntStream.range(0, MANY)
                .mapToObj(i -> CompletableFuture.runAsync(() -> container.createItem(item("a", "" + i)), threads))
                .toArray(CompletableFuture[]::new);

        assertThat(CompletableFuture.allOf(creations)).succeedsWithin(Duration.ofSeconds(30));
        assertThat(query(container, "SELECT * FROM c WHERE c.pk = 'a'")).hasSize(2 * MANY);
    }

    @Test
    void the_emulator_can_be_closed_while_a_request_is_in_flight(@TempDir Path folder) {
        var closing = CosmosEmulator.start(EmulatorConfig.inFolder(folder));
        var closed = new CompletableFuture<Void>();
        closing.faults().runBefore(FaultsIT::isDatabaseCreation, 1, request -> {
            closing.close();
            closed.complete(null);
        });
        try (var client = Clients.builder(closing).buildClient()) {
            threads.execute(() -> client.createDatabase("db"));

            assertThat(closed).succeedsWithin(Duration.ofSeconds(30));
        }
        CosmosEmulator.start(EmulatorConfig.inFolder(folder)).close();
    }

    private static boolean isDatabaseCreation(LoggedRequest request) {
        return request.method().equals("POST") && request.path().endsWith("dbs");
    }

    private static boolean isCreation(LoggedRequest request) {
        return request.operation() == RequestKind.ITEM_CREATE;
    }

    private LoggedRequest aListing() {
        assertThat(EMULATOR.database().readAllContainers()).isNotEmpty();
        return log.matching(request -> request.operation() == RequestKind.CONTAINER_LIST)
                .toList()
                .get(0);
    }

    private static boolean isBatch(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH;
    }

    private static CosmosBatch batchWith(String first, String second) {
        var batch = CosmosBatch.createCosmosBatch(A);
        batch.createItemOperation(item("a", first));
        batch.createItemOperation(item("a", second));
        return batch;
    }
}
