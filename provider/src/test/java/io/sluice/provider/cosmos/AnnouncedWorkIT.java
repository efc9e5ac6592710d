package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.feed.AnnouncementFault;
import io.sluice.provider.feed.ManualWorkFeed;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How announced work is taken: what it costs, counted on the wire, and that the order of an instance is kept. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnnouncedWorkIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long SURELY = Duration.ofMinutes(1).toMillis();

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private ManualWorkFeed feed;
    private CosmosStore store;
    /** Of the monotonic clock. */
    private final AtomicLong steadyAhead = new AtomicLong();

    private CosmosProvider writer;
    private CosmosProvider runtime;

    @BeforeEach
    void open() {
        feed = new ManualWorkFeed();
        store = fixture.store();
        // By one clock: each process would estimate the service's for itself, and messages come in the order of times.
        writer = fixture.provider(CosmosProvider.builder().reconciler(false).clock(Instant::now));
        runtime = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .clock(() -> Instant.now().plusMillis(ahead.get()))
                .environment(HostEnvironment.real()
                        .withNanoTime(() -> System.nanoTime() + MILLISECONDS.toNanos(steadyAhead.get())))
                .workFeed(feed));
        assertThat(poll()).as("the first fetch subscribes").isNull();
        assertThat(pollActivity()).isNull();
        fixture.emulator().requests().clear();
    }

    @Test
    void a_new_instance_is_locked_by_the_first_request() {
        writer.enqueueForOrchestrator(start("order"), null);

        LockedTurn turn = counted(1, () -> {
            announce("order", SURELY);
            return take();
        });

        assertThat(turn.item().messages()).containsExactly(start("order"));
        assertThat(turn.item().orchestrationName()).isEqualTo("Order");
    }

    @Test
    void after_a_loss_a_new_instance_is_still_locked_by_the_first_request() {
        feed.lose();
        assertThat(poll()).isNull();
        writer.enqueueForOrchestrator(start("order"), null);

        LockedTurn turn = counted(1, () -> {
            announce("order", SURELY);
            return take();
        });

        assertThat(turn.item().messages()).containsExactly(start("order"));
    }

    @Test
    void an_instance_that_others_acked_is_read_and_locked_with_its_history() {
        writer.enqueueForOrchestrator(start("order"), null);
        writer.ackOrchestrationItem(firstAck(StoreFixture.takeTurn(writer)));
        writer.enqueueForOrchestrator(raised("order", "a"), null);

        LockedTurn turn = counted(3, () -> {
            announce("order", SURELY);
            return take();
        });

        assertThat(turn.item().messages()).containsExactly(raised("order", "a"));
        assertThat(turn.item().history()).hasSize(1);
    }

    @Test
    void an_instance_that_was_acked_here_is_locked_by_the_first_request() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "a"), null);
        writer.enqueueForOrchestrator(raised("order", "b"), null);

        LockedTurn turn = counted(1, () -> {
            announce("order", SURELY);
            return take();
        });

        assertThat(turn.item().messages()).containsExactly(raised("order", "a"), raised("order", "b"));
        assertThat(turn.item().history()).hasSize(1);
    }

    @Test
    void an_activity_is_locked_by_the_first_request() {
        writer.enqueueForWorker(activity("order", 2));

        try (var waiting = new WaitingFetch<>(this::takeActivity)) {
            waiting.awaitWaiting();

            LockedWorkItem item = counted(1, () -> {
                announceActivity("order", document -> document);
                return waiting.result();
            });

            assertThat(item.item()).isEqualTo(activity("order", 2));
        }
    }

    @Test
    void a_worker_that_never_waits_gets_what_comes_between_its_fetches() {
        writer.enqueueForWorker(activity("order", 2));

        var announced = announceActivity("order", document -> document);

        assertThat(pollActivity()).extracting(LockedWorkItem::item).isEqualTo(activity("order", 2));
        assertThat(announced.isHandled()).isTrue();
    }

    @Test
    void an_activity_of_another_tag_is_left_to_workers_who_want_it() {
        writer.enqueueForWorker(new WorkItem.ActivityExecute("order", 1, 2, "render", "{}", null, "gpu"));

        try (var waiting = new WaitingFetch<>(this::takeActivity)) {
            waiting.awaitWaiting();

            var tagged = counted(0, () -> announceActivity("order", document -> document));

            assertThat(tagged.isHandled()).isTrue();
            writer.enqueueForWorker(activity("order", 3));
            announceActivity("order", document -> document);
            assertThat(waiting.result().item()).isEqualTo(activity("order", 3));
        }
    }

    @Test
    void an_activity_of_a_session_is_left_to_workers_with_sessions() {
        writer.enqueueForWorker(new WorkItem.ActivityExecute("order", 1, 2, "render", "{}", "session", null));

        try (var waiting = new WaitingFetch<>(this::takeActivity)) {
            waiting.awaitWaiting();

            assertThat(counted(0, () -> announceActivity("order", document -> document))
                            .isHandled())
                    .isTrue();

            writer.enqueueForWorker(activity("order", 3));
            announceActivity("order", document -> document);
            assertThat(waiting.result().item()).isEqualTo(activity("order", 3));
        }
    }

    @Test
    void an_activity_for_which_no_worker_is_free_goes_back() {
        ahead.addAndGet(Duration.ofSeconds(10).toMillis());
        writer.enqueueForWorker(activity("order", 2));

        var announced = announceActivity("order", document -> document);

        assertThat(announced.isReturned()).isTrue();
    }

    @Test
    void a_start_of_this_process_needs_no_look() {
        try (var waiting = new WaitingFetch<>(this::take)) {
            waiting.awaitWaiting();

            LockedTurn turn = counted(2, () -> {
                runtime.enqueueForOrchestrator(start("order"), null);
                return waiting.result();
            });

            assertThat(turn.item().messages()).containsExactly(start("order"));
        }
    }

    @Test
    void a_unique_start_of_this_process_needs_no_look() {
        try (var waiting = new WaitingFetch<>(this::take)) {
            waiting.awaitWaiting();

            LockedTurn turn = counted(2, () -> {
                runtime.starts().startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("order")));
                return waiting.result();
            });

            assertThat(turn.item().messages()).containsExactly(start("order"));
        }
    }

    @Test
    void another_start_does_not_come_in_the_place_of_a_unique_one_whose_announcement_is_awaited() {
        WorkItem.StartOrchestration first = (WorkItem.StartOrchestration) start("order");
        runtime.starts().startInstance(InstanceStart.of(first));
        runtime.enqueueForOrchestrator(
                new WorkItem.StartOrchestration("order", "Another", "{}", "1.0.0", null, null, null, 1), null);
        announce("order", SURELY);

        assertThat(take().item().messages()).hasSize(2).contains(first);
    }

    @Test
    void the_start_of_a_child_whose_parent_was_acked_here_needs_no_look() {
        writer.enqueueForOrchestrator(start("order"), null);
        announce("order", SURELY);
        TurnAck parent = firstAck(take()).withOrchestratorItems(List.of(start("child")));

        try (var waiting = new WaitingFetch<>(this::take)) {
            waiting.awaitWaiting();

            LockedTurn turn = counted(4, () -> {
                runtime.ackOrchestrationItem(parent);
                return waiting.result();
            });

            assertThat(turn.item().messages()).containsExactly(start("child"));
        }
    }

    @Test
    void a_runtime_that_hears_of_nothing_asks_for_nothing() {
        counted(0, () -> {
            for (int i = 0; i < 3; i++) {
                assertThat(runtime.fetchOrchestrationItem(LOCK, Duration.ofMillis(300), null))
                        .isEmpty();
                assertThat(runtime.fetchWorkItem(LOCK, Duration.ofMillis(300), null, TagFilter.defaultOnly()))
                        .isEmpty();
            }
            return true;
        });
    }

    @Test
    void an_announcement_is_handled_when_its_turn_is_acked() {
        writer.enqueueForOrchestrator(start("order"), null);
        var announced = announce("order", SURELY);

        LockedTurn turn = take();
        assertThat(announced.isHandled()).isFalse();
        runtime.ackOrchestrationItem(firstAck(turn));

        assertThat(announced.isHandled()).isTrue();
    }

    @Test
    void what_was_announced_before_and_is_gone_costs_no_request() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "a"), null);
        Announcement announcement = announcement("order", SURELY);
        feed.announce(WorkQueue.TURNS, announcement);
        LockedTurn turn = take();
        runtime.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));

        counted(0, () -> {
            var again = feed.announce(WorkQueue.TURNS, announcement);
            assertThat(poll()).isNull();
            assertThat(again.isHandled()).isTrue();
            return true;
        });
    }

    @Test
    void a_message_that_comes_again_under_an_id_that_was_handled_is_taken() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "a"), null);
        ObjectNode message = fixture.documents(store, "order", "orch_queue").get(0);
        announce("order", SURELY);
        runtime.ackOrchestrationItem(TurnAck.of(take().lockToken(), 1));

        store.container().createItem(message.put("enqueuedAt", now())).block();
        announce("order", SURELY);

        assertThat(take().item().messages()).containsExactly(raised("order", "a"));
    }

    @Test
    void a_turn_that_is_given_back_is_taken_again() {
        writer.enqueueForOrchestrator(start("order"), null);
        var announced = announce("order", SURELY);

        runtime.abandonOrchestrationItem(take().lockToken(), null, false);
        LockedTurn again = take();

        assertThat(again.attemptCount()).isEqualTo(2);
        assertThat(announced.isHandled()).isFalse();
        runtime.ackOrchestrationItem(firstAck(again));
        assertThat(announced.isHandled()).isTrue();
    }

    @Test
    void a_turn_that_is_given_back_can_be_taken_at_once() {
        writer.enqueueForOrchestrator(start("order"), null);
        announce("order", SURELY);

        runtime.abandonOrchestrationItem(take().lockToken(), null, false);

        assertThat(poll()).isNotNull();
    }

    @Test
    void what_was_tried_in_vain_while_this_process_held_the_instance_is_taken_right_after_its_ack() {
        writer.enqueueForOrchestrator(start("order"), null);
        announce("order", SURELY);
        LockedTurn turn = take();
        runtime.enqueueForOrchestrator(start("order"), null);
        announce("order", SURELY);
        assertThat(poll()).isNull();

        runtime.ackOrchestrationItem(firstAck(turn));

        assertThat(poll()).isNotNull();
    }

    @Test
    void a_message_announced_without_its_content_is_looked_for_with_all_older_ones() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "older, not announced"), null);
        writer.enqueueForOrchestrator(raised("order", "newer"), null);

        feed.announce(WorkQueue.TURNS, Announcement.check("order"));

        assertThat(take().item().messages())
                .containsExactly(raised("order", "older, not announced"), raised("order", "newer"));
    }

    @Test
    void a_message_of_this_process_does_not_overtake_an_older_one_of_another() {
        ackStart("order");
        try (var waiting = new WaitingFetch<>(this::take)) {
            waiting.awaitWaiting();
            writer.enqueueForOrchestrator(raised("order", "older"), null);
            runtime.enqueueForOrchestrator(raised("order", "own"), null);

            assertThat(waiting.result().item().messages())
                    .containsExactly(raised("order", "older"), raised("order", "own"));
        }
    }

    @Test
    void after_the_horizon_an_announcement_is_not_known_to_be_all() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "a timer that became due"), null);
        AnnouncedDocument unannounced = documents("order", "orch_queue").get(0);
        writer.enqueueForOrchestrator(raised("order", "newer"), null);
        List<AnnouncedDocument> newer = new ArrayList<>(documents("order", "orch_queue"));
        newer.removeIf(document -> document.id().equals(unannounced.id()));

        feed.announce(WorkQueue.TURNS, Announcement.of("order", now() - 1, newer));

        assertThat(take().item().messages()).hasSize(2);
    }

    @Test
    void after_a_loss_no_announcement_is_known_to_be_all_and_everything_is_looked_at_twice() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "lost"), null);
        feed.lose();
        LockedTurn found = take();
        assertThat(found.item().messages()).containsExactly(raised("order", "lost"));
        runtime.ackOrchestrationItem(TurnAck.of(found.lockToken(), 1));

        writer.enqueueForOrchestrator(raised("order", "lost, and seen by no look yet"), null);
        AnnouncedDocument lost = documents("order", "orch_queue").get(0);
        writer.enqueueForOrchestrator(raised("order", "announced"), null);
        List<AnnouncedDocument> announced = new ArrayList<>(documents("order", "orch_queue"));
        announced.removeIf(document -> document.id().equals(lost.id()));
        feed.announce(WorkQueue.TURNS, Announcement.of("order", now() + SURELY, announced));
        LockedTurn both = take();
        assertThat(both.item().messages()).hasSize(2);
        runtime.ackOrchestrationItem(TurnAck.of(both.lockToken(), 1));

        writer.enqueueForOrchestrator(raised("order", "became visible after the first look"), null);
        assertThat(poll()).isNull();
        ahead.addAndGet(Duration.ofMinutes(3).toMillis());
        steadyAhead.addAndGet(Duration.ofMinutes(3).toMillis());
        assertThat(take().item().messages()).hasSize(1);
    }

    @Test
    void a_timer_is_waited_for_and_not_handled_before_its_turn_is_acked() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "later"), Duration.ofSeconds(30));
        var announced = feed.announce(WorkQueue.TURNS, Announcement.of("order", 0, documents("order", "orch_queue")));
        assertThat(poll()).isNull();
        assertThat(announced.isHandled()).isFalse();

        ahead.addAndGet(Duration.ofSeconds(31).toMillis());
        LockedTurn turn = take();

        assertThat(turn.item().messages()).containsExactly(raised("order", "later"));
        assertThat(announced.isHandled()).isFalse();
        runtime.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        assertThat(announced.isHandled()).isTrue();
    }

    @Test
    void a_timer_that_is_due_is_not_overtaken_by_a_message_announced_after_it() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "timer"), Duration.ofSeconds(30));
        feed.announce(WorkQueue.TURNS, Announcement.of("order", 0, documents("order", "orch_queue")));
        ahead.addAndGet(Duration.ofSeconds(31).toMillis());
        String timer = documents("order", "orch_queue").get(0).id();
        writer.enqueueForOrchestrator(raised("order", "message"), null);
        List<AnnouncedDocument> message = new ArrayList<>(documents("order", "orch_queue"));
        message.removeIf(document -> document.id().equals(timer));
        feed.announce(WorkQueue.TURNS, Announcement.of("order", now() + SURELY, message));

        assertThat(take().item().messages()).containsExactly(raised("order", "timer"), raised("order", "message"));
    }

    @Test
    void what_somebody_else_holds_is_not_handled_and_is_tried_again() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "first"), null);
        LockedTurn held = StoreFixture.takeTurn(writer);
        writer.enqueueForOrchestrator(raised("order", "came while it was held"), null);
        var announced = announce("order", SURELY);
        assertThat(poll()).isNull();
        assertThat(announced.isHandled()).isFalse();

        writer.ackOrchestrationItem(TurnAck.of(held.lockToken(), 1));
        ahead.addAndGet(LOCK.toMillis() + 1);

        assertThat(take().item().messages()).containsExactly(raised("order", "came while it was held"));
    }

    @Test
    void what_somebody_else_has_tagged_is_handled_and_announced_again_when_that_lock_lapses() {
        writer.enqueueForOrchestrator(start("order"), null);
        Announcement announcement = announcement("order", SURELY).at(fixture.sessionToken(store, "order"));
        StoreFixture.takeTurn(writer);

        var announced = feed.announce(WorkQueue.TURNS, announcement);

        assertThat(poll()).isNull();
        assertThat(announced.isHandled())
                .as("the holder has all that was announced")
                .isTrue();
        ahead.addAndGet(LOCK.toMillis() + 1);
        assertThat(poll()).as("nothing waits for the lock").isNull();
        // As a lookahead finds it.
        feed.announce(WorkQueue.TURNS, Announcement.check("order"));
        assertThat(take().item().messages()).containsExactly(start("order"));
    }

    @Test
    void what_was_announced_to_a_former_owner_is_dropped() {
        writer.enqueueForOrchestrator(start("order"), null);
        var announced = announcement("order", SURELY);
        feed.announce(WorkQueue.TURNS, announced).revoke();

        counted(0, () -> {
            assertThat(poll()).isNull();
            return true;
        });
    }

    @Test
    void a_message_that_came_before_its_start_is_taken_with_it() {
        writer.enqueueForOrchestrator(raised("order", "too early"), null);
        var early = announce("order", SURELY);
        assertThat(poll()).isNull();
        assertThat(early.isHandled()).isTrue();
        String before = documents("order", "orch_queue").get(0).id();
        writer.enqueueForOrchestrator(start("order"), null);
        List<AnnouncedDocument> start = new ArrayList<>(documents("order", "orch_queue"));
        start.removeIf(document -> document.id().equals(before));

        feed.announce(WorkQueue.TURNS, Announcement.of("order", now() + SURELY, start));

        assertThat(take().item().messages()).containsExactly(raised("order", "too early"), start("order"));
    }

    @Test
    void a_message_that_came_before_its_start_is_taken_with_it_also_if_this_process_sends_the_start() {
        writer.enqueueForOrchestrator(raised("order", "too early"), null);
        announce("order", SURELY);
        assertThat(poll()).isNull();

        runtime.enqueueForOrchestrator(start("order"), null);

        assertThat(take().item().messages()).containsExactly(raised("order", "too early"), start("order"));
    }

    @Test
    void a_feed_that_is_not_healthy_is_not_relied_on() {
        feed.setHealthy(false);
        writer.enqueueForOrchestrator(start("order"), null);
        writer.enqueueForWorker(activity("order", 2));

        assertThat(take().item().messages()).containsExactly(start("order"));
        assertThat(takeActivity().item()).isEqualTo(activity("order", 2));
    }

    /** What an announcement may say wrongly. */
    enum Lie {
        NO_SUCH_DOCUMENT,
        OF_ANOTHER_INSTANCE,
        ANOTHER_KIND,
        ANOTHER_VERSION;

        AnnouncedDocument about(AnnouncedDocument document) {
            return switch (this) {
                case NO_SUCH_DOCUMENT ->
                    AnnouncementFault.changed(document, "no-such-document", document.kind(), document.etag());
                case OF_ANOTHER_INSTANCE -> document;
                case ANOTHER_KIND ->
                    AnnouncementFault.changed(document, document.id(), "ExternalRaised", document.etag());
                case ANOTHER_VERSION ->
                    AnnouncementFault.changed(document, document.id(), document.kind(), "\"wrong\"");
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_lie_about_a_message_costs_requests_and_nothing_else(Lie lie) {
        writer.enqueueForOrchestrator(start("another"), null);
        writer.enqueueForOrchestrator(start("order"), null);
        String about = lie == Lie.OF_ANOTHER_INSTANCE ? "another" : "order";
        List<AnnouncedDocument> lies =
                documents(about, "orch_queue").stream().map(lie::about).toList();

        var announced = feed.announce(WorkQueue.TURNS, Announcement.of("order", now() + SURELY, lies));
        LockedTurn turn = take();

        assertThat(turn.item().instance()).isEqualTo("order");
        assertThat(turn.item().messages()).containsExactly(start("order"));
        runtime.ackOrchestrationItem(firstAck(turn));
        awaitHandled(announced);
        assertThat(StoreFixture.takeTurn(writer).item().messages()).containsExactly(start("another"));
    }

    @Test
    void a_message_that_is_said_to_be_due_is_not_taken_before_its_time() {
        ackStart("order");
        writer.enqueueForOrchestrator(raised("order", "later"), Duration.ofMinutes(10));
        List<AnnouncedDocument> lies = documents("order", "orch_queue").stream()
                .map(document -> new AnnouncedDocument(
                        document.id(),
                        document.kind(),
                        10,
                        0,
                        0,
                        null,
                        0,
                        document.etag(),
                        null,
                        null,
                        null,
                        null,
                        null))
                .toList();

        feed.announce(WorkQueue.TURNS, Announcement.of("order", now() + SURELY, lies));

        assertThat(poll()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_SUCH_DOCUMENT", "ANOTHER_VERSION"})
    void a_lie_about_an_activity_costs_a_request_and_nothing_else(Lie lie) {
        writer.enqueueForWorker(activity("order", 2));

        try (var waiting = new WaitingFetch<>(
                () -> runtime.fetchWorkItem(LOCK, Duration.ofSeconds(2), null, TagFilter.defaultOnly()))) {
            waiting.awaitWaiting();
            var announced = announceActivity("order", lie::about);

            assertThat(waiting.result()).isEmpty();
            assertThat(announced.isHandled()).isTrue();
        }
        assertThat(StoreFixture.takeActivity(writer).item()).isEqualTo(activity("order", 2));
    }

    @Test
    void an_activity_that_a_turn_queued_goes_to_a_waiting_worker_of_the_same_process() {
        try (var waiting = new WaitingFetch<>(this::takeActivity)) {
            waiting.awaitWaiting();
            writer.enqueueForOrchestrator(start("order"), null);
            announce("order", SURELY);
            LockedTurn turn = take();

            LockedWorkItem item = counted(2, () -> {
                runtime.ackOrchestrationItem(firstAck(turn).withWorkerItems(List.of(activity("order", 2))));
                return waiting.result();
            });

            assertThat(item.item()).isEqualTo(activity("order", 2));
            counted(3, () -> {
                runtime.ackWorkItem(item.lockToken(), completed("order", 2));
                return take();
            });
        }
    }

    @Test
    void activities_that_a_turn_queued_while_no_worker_waits_go_to_the_next_workers_without_announcements() {
        writer.enqueueForOrchestrator(start("order"), null);
        announce("order", SURELY);
        runtime.ackOrchestrationItem(
                firstAck(take()).withWorkerItems(List.of(activity("order", 2), activity("order", 3))));
        List<AnnouncedDocument> announcedLater = documents("order", "worker_queue");

        LockedWorkItem first = counted(1, this::takeActivity);
        LockedWorkItem second = counted(1, this::takeActivity);

        assertThat(List.of(first.item(), second.item()))
                .containsExactlyInAnyOrder(activity("order", 2), activity("order", 3));
        var late = feed.announce(WorkQueue.ACTIVITIES, Announcement.of("order", 0, announcedLater));
        counted(0, () -> {
            assertThat(pollActivity()).isNull();
            return true;
        });
        assertThat(late.isHandled()).isTrue();
        runtime.abandonWorkItem(first.lockToken(), null, false);
        announceActivity("order", document -> document);
        assertThat(takeActivity().item()).isEqualTo(first.item());
    }

    @Test
    void after_an_activity_that_another_process_took_the_others_are_left_to_their_announcements() {
        writer.enqueueForOrchestrator(start("order"), null);
        announce("order", SURELY);
        runtime.ackOrchestrationItem(firstAck(take())
                .withWorkerItems(List.of(activity("order", 2), activity("order", 3), activity("order", 4))));
        StoreFixture.takeActivity(writer);
        StoreFixture.takeActivity(writer);

        counted(1, () -> {
            assertThat(pollActivity())
                    .as("one lock is refused, the others are not tried")
                    .isNull();
            return true;
        });

        announceActivity("order", document -> document);
        assertThat(takeActivity().item()).isEqualTo(activity("order", 4));
    }

    @Test
    void a_message_of_this_process_needs_no_look_once_it_is_announced() {
        writer.enqueueForOrchestrator(start("order"), null);
        announce("order", SURELY);
        runtime.ackOrchestrationItem(firstAck(take()).withWorkerItems(List.of(activity("order", 2))));
        announceActivity("order", document -> document);
        LockedWorkItem item = takeActivity();

        runtime.ackWorkItem(item.lockToken(), completed("order", 2));
        announce("order", SURELY);

        LockedTurn turn = counted(1, this::take);
        assertThat(turn.item().messages()).containsExactly(completed("order", 2));
    }

    @Test
    void a_message_of_this_process_may_wait_for_its_announcement() {
        waitForOwnWork();
        ackStart("order");

        runtime.enqueueForOrchestrator(raised("order", "own"), null);
        counted(0, () -> {
            assertThat(poll()).isNull();
            return true;
        });
        ahead.addAndGet(Duration.ofSeconds(31).toMillis());

        assertThat(take().item().messages()).containsExactly(raised("order", "own"));
    }

    @Test
    void what_the_process_sent_itself_is_not_looked_for_once_it_was_announced_and_taken() {
        waitForOwnWork();
        writer.enqueueForOrchestrator(start("order"), null);
        announce("order", SURELY);
        runtime.ackOrchestrationItem(firstAck(take()).withWorkerItems(List.of(activity("order", 2))));
        announceActivity("order", document -> document);
        runtime.ackWorkItem(takeActivity().lockToken(), completed("order", 2));
        announce("order", SURELY);
        LockedTurn turn = counted(1, this::take);
        runtime.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        ahead.addAndGet(Duration.ofSeconds(31).toMillis());

        counted(0, () -> {
            assertThat(poll()).isNull();
            return true;
        });
    }

    @Test
    void what_an_ack_delivered_to_another_instance_is_not_looked_for_once_it_was_taken() {
        waitForOwnWork();
        ackStart("order");
        writer.enqueueForOrchestrator(start("child"), null);
        announce("child", SURELY);
        runtime.ackOrchestrationItem(firstAck(take()).withOrchestratorItems(List.of(raised("order", "answer"))));
        announce("order", SURELY);
        LockedTurn turn = counted(1, this::take);
        assertThat(turn.item().messages()).containsExactly(raised("order", "answer"));
        runtime.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        ahead.addAndGet(Duration.ofSeconds(31).toMillis());

        counted(0, () -> {
            assertThat(poll()).isNull();
            return true;
        });
    }

    private void waitForOwnWork() {
        feed.setOwnWorkAfter(Duration.ofSeconds(30));
        runtime = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .clock(() -> Instant.now().plusMillis(ahead.get()))
                .workFeed(feed));
        assertThat(poll()).as("the first fetch subscribes").isNull();
    }

    private void ackStart(String instance) {
        writer.enqueueForOrchestrator(start(instance), null);
        announce(instance, SURELY);
        runtime.ackOrchestrationItem(firstAck(take()));
        fixture.emulator().requests().clear();
    }

    @Test
    void what_another_process_consumed_is_handled_by_one_look_that_is_as_far_as_its_page() {
        writer.enqueueForOrchestrator(start("order"), null);
        Announcement announcement = announcement("order", 0).at(fixture.sessionToken(store, "order"));
        writer.ackOrchestrationItem(firstAck(StoreFixture.takeTurn(writer)));

        ManualWorkFeed.Announced announced = feed.announce(WorkQueue.TURNS, announcement);

        // A lock that is refused, and the look.
        counted(2, () -> {
            assertThat(poll()).isNull();
            return true;
        });
        assertThat(announced.isHandled()).isTrue();
    }

    @Test
    void what_a_look_from_further_back_does_not_show_is_looked_for_again() {
        writer.enqueueForOrchestrator(start("order"), null);
        Announcement announcement = announcement("order", 0).at(fixture.sessionTokenAhead(store, "order"));
        writer.ackOrchestrationItem(firstAck(StoreFixture.takeTurn(writer)));

        ManualWorkFeed.Announced announced = feed.announce(WorkQueue.TURNS, announcement);

        // A lock that is refused, and the look.
        counted(2, () -> {
            assertThat(poll()).isNull();
            return true;
        });
        ahead.addAndGet(Duration.ofMinutes(1).toMillis());
        assertThat(poll()).isNull();
        assertThat(announced.isHandled()).as("no replica is known to be as far").isFalse();

        ahead.addAndGet(Duration.ofMinutes(10).toMillis());
        awaitHandled(announced);
    }

    private ManualWorkFeed.Announced announce(String instance, long horizonMillis) {
        return feed.announce(WorkQueue.TURNS, announcement(instance, horizonMillis));
    }

    private Announcement announcement(String instance, long horizonMillis) {
        return Announcement.of(instance, now() + horizonMillis, documents(instance, "orch_queue"));
    }

    private ManualWorkFeed.Announced announceActivity(String instance, UnaryOperator<AnnouncedDocument> change) {
        List<AnnouncedDocument> documents =
                documents(instance, "worker_queue").stream().map(change).toList();
        return feed.announce(WorkQueue.ACTIVITIES, Announcement.of(instance, 0, documents));
    }

    private List<AnnouncedDocument> documents(String instance, String type) {
        return fixture.documents(store, instance, type).stream()
                .map(AnnouncedDocument::of)
                .toList();
    }

    /** What was not seen is looked for again, for a replica may lag. */
    private void awaitHandled(ManualWorkFeed.Announced announced) {
        await().until(() -> {
            assertThat(poll()).isNull();
            ahead.addAndGet(Duration.ofSeconds(5).toMillis());
            return announced.isHandled();
        });
    }

    private long now() {
        return System.currentTimeMillis() + ahead.get();
    }

    private @Nullable LockedTurn poll() {
        return runtime.fetchOrchestrationItem(LOCK, NO_WAIT, null).orElse(null);
    }

    private LockedTurn take() {
        return runtime.fetchOrchestrationItem(LOCK, PATIENCE, null)
                .orElseThrow(() -> new AssertionError("no turn to fetch"));
    }

    private @Nullable LockedWorkItem pollActivity() {
        return runtime.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly())
                .orElse(null);
    }

    private LockedWorkItem takeActivity() {
        return runtime.fetchWorkItem(LOCK, PATIENCE, null, TagFilter.defaultOnly())
                .orElseThrow(() -> new AssertionError("no activity to fetch"));
    }

    private <T> T counted(int requests, Step<T> step) {
        fixture.emulator().requests().clear();
        T result = step.run();
        assertThat(fixture.dataRequests().stream().filter(request -> !isOfTest(request)))
                .hasSize(requests);
        return result;
    }

    private static boolean isOfTest(LoggedRequest request) {
        return request.body().contains("c.type = @type");
    }

    private interface Step<T> {
        T run();
    }

    /** A fetch on a thread of its own. */
    private static final class WaitingFetch<T> implements AutoCloseable {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Thread thread;

        WaitingFetch(Supplier<T> fetch) {
            thread = new Thread(() -> result.completeAsync(fetch, Runnable::run), "waiting-fetch");
            thread.start();
        }

        /** Until it waits for work: what a healthy feed announces is waited for without a request. */
        void awaitWaiting() {
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        }

        T result() {
            return result.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }

        @Override
        public void close() {
            thread.interrupt();
            await().until(() -> !thread.isAlive());
        }
    }
}
