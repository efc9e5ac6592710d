package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.KvEntry;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** First in, first out, however close together; and names of every kind. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OrderAndNamesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final List<String> NAMES = List.of(
            "plain",
            "a/b",
            "a\\b",
            "what?",
            "#1",
            "/\\?#",
            " leading and trailing ",
            "tab\tand\nline",
            "quote\"s and 'apostrophes'",
            "colon:and::colons",
            "~tilde~:",
            "\u00e9\u00df\u4e2d",
            "\ud83d\ude80\ud83d\udc69\u200d\ud83d\ude80",
            "x".repeat(1_000),
            "/".repeat(1_000),
            "\ud83d\ude80".repeat(600),
            "y".repeat(3_000));

    private CosmosProvider provider;

    @BeforeEach
    void open() {
        provider = fixture.provider();
    }

    @Test
    @Covers("wire 53")
    void what_is_queued_while_the_clock_stands_still_keeps_its_order() {
        Instant now = Instant.now();
        CosmosProvider still =
                fixture.provider(CosmosProvider.builder().reconciler(false).clock(InstantSource.fixed(now)));
        List<WorkItem> messages = new ArrayList<>();
        messages.add(start("order-1"));
        List<WorkItem> activities = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            messages.add(raised("order-1", "e" + i));
        }
        // As many as one look is sure to see.
        for (int i = 0; i < 15; i++) {
            activities.add(StoreFixture.activity("order-1", i));
        }
        messages.forEach(message -> still.enqueueForOrchestrator(message, null));
        activities.forEach(still::enqueueForWorker);

        CosmosProvider cold = fixture.provider();

        assertThat(takeTurn(cold).item().messages()).containsExactlyElementsOf(messages);
        assertThat(takeAll(cold, activities.size())).containsExactlyElementsOf(activities);
    }

    @Test
    @Covers("wire 53")
    void items_of_one_ack_come_in_their_order_to_this_instance_to_another_and_to_workers() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        List<WorkItem> own = new ArrayList<>();
        List<WorkItem> foreign = new ArrayList<>();
        List<WorkItem> activities = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            own.add(raised("order-1", "own " + i));
            foreign.add(i == 5 ? start("peer") : raised("peer", "foreign " + i));
            activities.add(StoreFixture.activity("order-1", 100 + i));
        }
        List<WorkItem> mixed = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            mixed.add(own.get(i));
            mixed.add(foreign.get(i));
        }
        provider.ackOrchestrationItem(
                firstAck(takeTurn(provider)).withOrchestratorItems(mixed).withWorkerItems(activities));

        CosmosProvider cold = fixture.provider();
        Map<String, List<WorkItem>> turns = new java.util.HashMap<>();
        for (int i = 0; i < 2; i++) {
            LockedTurn turn = takeTurn(cold);
            turns.put(turn.item().instance(), turn.item().messages());
        }

        assertThat(turns).containsEntry("order-1", own).containsEntry("peer", foreign);
        assertThat(takeAll(cold, 12)).containsExactlyElementsOf(activities);
    }

    @Test
    @Covers("wire 53")
    void turns_of_different_instances_come_oldest_message_first() {
        AtomicLong millis = new AtomicLong(Instant.now().toEpochMilli() - 60_000);
        CosmosProvider sender = fixture.provider(
                CosmosProvider.builder().reconciler(false).clock(() -> Instant.ofEpochMilli(millis.get())));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String instance = "order-" + (i * 7 % 20);
            sender.enqueueForOrchestrator(start(instance), null);
            expected.add(instance);
            // Pairs share a millisecond.
            millis.addAndGet(i % 2);
        }

        List<String> fetched = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            fetched.add(takeTurn(provider).item().instance());
        }

        assertThat(fetched).containsExactlyElementsOf(expected);
    }

    @Test
    void key_values_of_any_name_are_set_read_committed_and_cleared() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(
                TurnAck.of(takeTurn(provider).lockToken(), 1).withHistory(set("first", 1, 1)));
        NAMES.forEach(name ->
                assertThat(provider.getKvValue("order-1", name)).as(name).contains("first"));

        turn(ack -> ack.withHistory(set("second", 101, 2))
                .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", "")));
        CosmosProvider cold = fixture.provider();
        Map<String, String> all = NAMES.stream().collect(Collectors.toMap(name -> name, name -> "second"));
        assertThat(cold.getKvAllValues("order-1")).isEqualTo(all);
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);
        LockedTurn next = takeTurn(cold);
        assertThat(next.item().kvSnapshot())
                .containsOnlyKeys(NAMES)
                .allSatisfy((name, entry) -> assertThat(entry).isEqualTo(new KvEntry("second", 2)));
        List<HistoryEvent> cleared = IntStream.range(1, NAMES.size())
                .mapToObj(i -> event("order-1", 200 + i, new EventKind.KeyValueCleared(NAMES.get(i))))
                .toList();
        cold.ackOrchestrationItem(TurnAck.of(next.lockToken(), 1)
                .withHistory(cleared)
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "")));

        assertThat(provider.getKvAllValues("order-1")).containsOnlyKeys(NAMES.get(0));
        NAMES.stream()
                .skip(1)
                .forEach(name -> assertThat(provider.getKvValue("order-1", name))
                        .as(name)
                        .isEmpty());
    }

    private static List<HistoryEvent> set(String value, int firstEvent, long millis) {
        return IntStream.range(0, NAMES.size())
                .mapToObj(i -> event("order-1", firstEvent + i, new EventKind.KeyValueSet(NAMES.get(i), value, millis)))
                .toList();
    }

    @Test
    void sessions_of_any_name_belong_to_one_owner() {
        CosmosProvider another = fixture.provider();
        for (String session : NAMES) {
            provider.enqueueForWorker(inSession(session, 1));
            provider.enqueueForWorker(inSession(session, 2));
            provider.enqueueForWorker(inSession(session + "2", 3));

            LockedWorkItem mine = fetch(provider, "me").orElseThrow();
            LockedWorkItem theirs = fetch(another, "you").orElseThrow();

            assertThat(mine.item()).isEqualTo(inSession(session, 1));
            assertThat(theirs.item()).as("another session").isEqualTo(inSession(session + "2", 3));
            assertThat(provider.renewSessionLock(List.of("me"), LOCK, Duration.ofMinutes(5)))
                    .as(session)
                    .isPositive();
            provider.ackWorkItem(mine.lockToken(), null);
            LockedWorkItem second = fetch(provider, "me").orElseThrow();
            assertThat(second.item()).isEqualTo(inSession(session, 2));
            provider.ackWorkItem(second.lockToken(), null);
            another.ackWorkItem(theirs.lockToken(), null);
        }
    }

    private void turn(java.util.function.UnaryOperator<TurnAck> content) {
        provider.enqueueForOrchestrator(raised("order-1", "go on"), null);
        provider.ackOrchestrationItem(
                content.apply(TurnAck.of(takeTurn(provider).lockToken(), 1)));
    }

    private static Optional<LockedWorkItem> fetch(CosmosProvider worker, String owner) {
        return worker.fetchWorkItem(LOCK, NO_WAIT, new SessionFetchConfig(owner, LOCK), TagFilter.any());
    }

    private static List<WorkItem> takeAll(CosmosProvider worker, int count) {
        List<WorkItem> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(takeActivity(worker).item());
        }
        return items;
    }

    private static WorkItem inSession(String session, long id) {
        return new WorkItem.ActivityExecute("order-1", 1, id, "charge", "{}", session, null);
    }
}
