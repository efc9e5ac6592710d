package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the service can't hold is refused before anything is written, and what nobody can read stops nobody else. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LimitsIT {
    /**
     * Small in memory, over 2 MB once the document is written: a quote inside of JSON inside of JSON takes four bytes.
     */
    private static final String HEAVY = "\"".repeat(600_000);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        account.requireEmulator();
        provider = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .immediateDelivery(false)
                .clock(() -> InstantSource.system().instant().plusMillis(ahead.get())));
    }

    static Stream<Arguments> turnsThatDontFit() {
        return Stream.of(
                turn(
                        "an event",
                        ack -> ack.withHistory(
                                List.of(event("order-1", 1, new EventKind.OrchestrationCompleted(HEAVY))))),
                turn(
                        "an activity",
                        ack -> ack.withWorkerItems(
                                List.of(new WorkItem.ActivityExecute("order-1", 1, 2, "a", HEAVY, null, null)))),
                turn("a message", ack -> ack.withOrchestratorItems(List.of(raised("order-1", HEAVY)))),
                // The document itself would fit; the intent that carries it would not.
                turn(
                        "an intent",
                        ack -> ack.withOrchestratorItems(List.of(raised("order-2", HEAVY.substring(200_000))))),
                turn(
                        "a key's value",
                        ack -> ack.withHistory(List.of(
                                event("order-1", 1, new EventKind.KeyValueSet("total", "x".repeat(2_100_000), 1))))),
                turn(
                        "a custom status",
                        ack -> ack.withHistory(List.of(
                                event("order-1", 1, new EventKind.CustomStatusUpdated("x".repeat(2_100_000)))))),
                turn(
                        "an output",
                        ack -> ack.withMetadata(ExecutionMetadata.NONE
                                .withOrchestration("Order", "1.0.0")
                                .withStatus("Completed", "x".repeat(2_100_000)))));
    }

    private static Arguments turn(String what, UnaryOperator<TurnAck> ack) {
        return Arguments.of(what, ack);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("turnsThatDontFit")
    void a_turn_with_a_document_over_two_megabytes_is_refused_and_nothing_of_it_written(
            String what, UnaryOperator<TurnAck> ack) {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(provider);
        fixture.emulator().requests().clear();

        assertRefused(
                () -> provider.ackOrchestrationItem(ack.apply(TurnAck.of(turn.lockToken(), 1))), "order-1", "bytes");

        assertThat(writes()).as("written of %s", what).isZero();
        // The lock is still held, and the turn can be acked otherwise.
        provider.ackOrchestrationItem(firstAck(turn));
    }

    @Test
    void an_item_over_two_megabytes_is_refused_when_it_is_queued() {
        fixture.emulator().requests().clear();

        assertRefused(() -> provider.enqueueForOrchestrator(raised("order-1", HEAVY), null), "order-1", "limit");
        assertRefused(
                () -> provider.enqueueForWorker(new WorkItem.ActivityExecute("order-1", 1, 2, "a", HEAVY, null, null)),
                "order-1",
                "limit");

        assertThat(writes()).isZero();
    }

    @Test
    void an_event_over_two_megabytes_is_refused_when_it_is_appended() {
        assertRefused(
                () -> provider.appendWithExecution(
                        "order-1", 1, List.of(event("order-1", 1, new EventKind.OrchestrationCompleted(HEAVY)))),
                "order-1",
                "limit");
    }

    @Test
    void more_than_five_tags_are_refused_with_the_limit() {
        assertThatThrownBy(() -> TagFilter.tags(Set.of("a", "b", "c", "d", "e", "f")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("5")
                .hasMessageContaining("6");
    }

    @Test
    void a_partition_that_is_full_is_said_to_be_that() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(provider);
        fixture.emulator().faults().refuse(LimitsIT::isWrite, 0, 403, 1014);

        assertRefused(() -> provider.ackOrchestrationItem(firstAck(turn)), "order-1", "20 GB");
    }

    @Test
    void activities_that_no_one_can_lock_hide_none_behind_them() {
        for (int i = 1; i <= 20; i++) {
            provider.enqueueForWorker(activity("order-0", i));
        }
        provider.enqueueForWorker(activity("order-1", 1));
        fixture.emulator()
                .faults()
                .refuse(request -> isWrite(request) && "[\"order-0\"]".equals(request.partitionKey()), 0, 403, 1014);

        assertThat(takeActivity(provider).item()).isEqualTo(activity("order-1", 1));
    }

    @Test
    void a_query_names_what_was_taken_for_seconds_and_not_for_as_long_as_it_is_locked() {
        int before = bytesOfLook();
        for (int i = 1; i <= 40; i++) {
            provider.enqueueForWorker(activity("order-1", i));
            assertThat(provider.fetchWorkItem(
                            Duration.ofHours(1), Duration.ofSeconds(30), null, TagFilter.defaultOnly()))
                    .isPresent();
        }
        assertThat(bytesOfLook()).isGreaterThan(before);

        ahead.addAndGet(Duration.ofMinutes(1).toMillis());

        assertThat(bytesOfLook()).isEqualTo(before);
    }

    /** The size of the query that an empty fetch sends last. */
    private int bytesOfLook() {
        fixture.emulator().requests().clear();
        assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
        return fixture.emulator()
                .requests()
                .matching(request -> request.operation() == RequestKind.QUERY)
                .mapToInt(LoggedRequest::bytesIn)
                .max()
                .orElseThrow();
    }

    @Test
    @Covers("wire 31")
    void a_corrupt_work_item_blocks_nobody_and_its_attempts_are_counted() {
        provider.enqueueForWorker(activity("order-1", 2));
        ObjectNode corrupt = only("worker_queue");
        corrupt.put("id", "corrupt").put("enqueuedAt", 1).put("workItem", "{\"ActivityExecute\":{");
        fixture.store().container().createItem(corrupt).block();
        CosmosProvider another = fixture.providerAhead(ahead);

        // It is the oldest, and yet the healthy one comes.
        assertThat(takeActivity(provider).item()).isEqualTo(activity("order-1", 2));
        assertThat(attempts("corrupt")).isEqualTo(1);

        // Neither this process nor another meets it again before its time.
        assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
        assertThat(another.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
        assertThat(attempts("corrupt")).isEqualTo(1);

        // Each time it comes up it counts, and stays away for longer.
        ahead.addAndGet(LOCK.toMillis() + 1);
        provider.ackWorkItem(takeActivity(another).lockToken(), null);
        assertThat(another.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
        assertThat(attempts("corrupt")).isEqualTo(2);
        ahead.addAndGet(LOCK.toMillis() + 1);
        assertThat(another.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
        assertThat(attempts("corrupt")).isEqualTo(2);
    }

    @Test
    @Covers("wire 31")
    void a_corrupt_message_blocks_nobody_and_goes_with_the_turn_it_came_with() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        ObjectNode corrupt = only("orch_queue");
        corrupt.put("id", "corrupt").put("enqueuedAt", 1).put("workItem", "{\"NoSuchVariant\":{}}");
        fixture.store().container().createItem(corrupt).block();

        LockedTurn turn = takeTurn(provider);

        assertThat(turn.item().messages()).containsExactly(start("order-1"));
        assertThat(attempts("corrupt")).isEqualTo(1);
        provider.ackOrchestrationItem(firstAck(turn));
        assertThat(read("corrupt")).isEmpty();
    }

    @Test
    @Covers("wire 31")
    void corrupt_messages_alone_to_an_instance_that_never_started_block_nobody() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        ObjectNode corrupt = only("orch_queue");
        corrupt.put("id", "corrupt")
                .put("enqueuedAt", 1)
                .put("instanceId", "order-0")
                .put("workItem", "?");
        fixture.store().container().createItem(corrupt).block();

        assertThat(takeTurn(provider).item().instance()).isEqualTo("order-1");
    }

    @Test
    @Covers("wire 18")
    void an_event_of_an_unknown_kind_is_reported_and_the_attempts_rise() {
        beginInstance(provider, "order-1");
        ObjectNode history = only("history");
        history.put("id", "order-1:history:1:2").put("eventId", 2);
        history.put("eventData", history.get("eventData").asText().replace("\"ExternalEvent\"", "\"NoSuchKind\""));
        fixture.store().container().createItem(history).block();
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);
        CosmosProvider another = fixture.provider();

        LockedTurn first = takeTurn(another);
        another.abandonOrchestrationItem(first.lockToken(), null, false);
        LockedTurn second = takeTurn(another);

        assertThat(first.item().historyError()).contains("event 2").contains("NoSuchKind");
        assertThat(first.item().history()).isEmpty();
        assertThat(second.attemptCount()).isEqualTo(2);
    }

    private static void assertRefused(ThrowingCallable call, String instance, String limit) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(instance)
                .hasMessageContaining(limit);
    }

    private long writes() {
        return fixture.dataRequests().stream().filter(LimitsIT::isWrite).count();
    }

    private static boolean isWrite(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH;
    }

    /** The one document of a type, without what the service added. */
    private ObjectNode only(String type) {
        List<ObjectNode> found = Objects.requireNonNull(fixture.store()
                .container()
                .queryItems("SELECT * FROM c WHERE c.type = '" + type + "'", ObjectNode.class)
                .collectList()
                .block());
        assertThat(found).hasSize(1);
        return found.get(0).without(List.of("_etag", "_rid", "_self", "_ts", "_attachments"));
    }

    private Optional<ObjectNode> read(String id) {
        List<ObjectNode> found = Objects.requireNonNull(fixture.store()
                .container()
                .queryItems("SELECT * FROM c WHERE c.id = '" + id + "'", ObjectNode.class)
                .collectList()
                .block());
        return found.stream().findFirst();
    }

    private int attempts(String id) {
        return read(id).orElseThrow().get("attemptCount").asInt();
    }
}
