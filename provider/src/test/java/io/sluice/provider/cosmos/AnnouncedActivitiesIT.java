package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.feed.ManualWorkFeed;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An announced activity is not forgotten while it may be free, and never taken where the store says otherwise. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnnouncedActivitiesIT {
    private static final SessionFetchConfig OWNER = new SessionFetchConfig("owner", LOCK);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private final ManualWorkFeed feed = new ManualWorkFeed();
    private CosmosStore store;
    private CosmosProvider writer;
    private CosmosProvider runtime;

    @BeforeEach
    void open() {
        store = fixture.store();
        writer = fixture.provider();
        runtime = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .clock(() -> Instant.now().plusMillis(ahead.get()))
                .workFeed(feed));
        fixture.emulator().requests().clear();
    }

    @Test
    void an_activity_whose_lock_got_no_answer_and_was_not_applied_is_tried_again() {
        subscribe(null);
        writer.enqueueForWorker(activity("order", 2));
        var lost = fixture.emulator().faults().dropConnection(AnnouncedActivitiesIT::isLock, 1);

        announce("order", document -> document);

        assertThat(take(null).item()).isEqualTo(activity("order", 2));
        lost.remove();
    }

    @Test
    void an_activity_whose_session_moved_during_its_lock_is_tried_again() {
        subscribe(OWNER);
        writer.enqueueForWorker(ofSession(2));
        announce("order", document -> document);
        LockedWorkItem first = take(OWNER);
        writer.enqueueForWorker(ofSession(3));
        try (var held = HeldRequest.of(fixture.emulator(), AnnouncedActivitiesIT::isLock)) {
            var second = CompletableFuture.supplyAsync(() -> take(OWNER));
            announceOnly(3);
            held.awaitHeld();

            runtime.renewWorkItemLock(first.lockToken(), LOCK);
            held.letGo();

            assertThat(second.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                            .join()
                            .item())
                    .isEqualTo(ofSession(3));
        }
    }

    /** What an announcement may say wrongly of a version that exists. */
    @SuppressWarnings("ImmutableEnumChecker") // work items are records without anything that changes
    enum Lie {
        NOT_OF_A_SESSION(new WorkItem.ActivityExecute("order", 1, 2, "charge", "{}", "cart", null)),
        NOT_OF_A_TAG(new WorkItem.ActivityExecute("order", 1, 2, "charge", "{}", null, "gpu")),
        NOT_LATER(activity("order", 2)),
        NOT_LOCKED(activity("order", 2));

        private final WorkItem truth;

        Lie(WorkItem truth) {
            this.truth = truth;
        }

        AnnouncedDocument about(AnnouncedDocument document) {
            return new AnnouncedDocument(
                    document.id(),
                    document.kind(),
                    document.workItemLength(),
                    0,
                    document.enqueuedAt(),
                    null,
                    document.attemptCount(),
                    document.etag(),
                    document.executionId(),
                    document.activityId(),
                    null,
                    null,
                    null);
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_activity_is_not_taken_on_the_word_of_an_announcement(Lie lie) {
        subscribe(null);
        writer.enqueueForWorker(lie.truth);
        if (lie == Lie.NOT_LATER || lie == Lie.NOT_LOCKED) {
            LockedWorkItem held = StoreFixture.takeActivity(writer);
            if (lie == Lie.NOT_LATER) {
                writer.abandonWorkItem(held.lockToken(), Duration.ofMinutes(10), false);
            }
        }

        var announced = announce("order", lie::about);

        assertThat(runtime.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
        assertThat(announced.isHandled()).isTrue();
    }

    @Test
    void attempts_are_counted_by_the_store() {
        subscribe(null);
        writer.enqueueForWorker(activity("order", 2));

        announce(
                "order",
                of -> new AnnouncedDocument(
                        of.id(), "", 1, 0, 0, null, Integer.MAX_VALUE, of.etag(), null, null, null, null, null));

        assertThat(take(null).attemptCount()).isOne();
        assertThat(documents("order").get(0).attemptCount()).isOne();
    }

    @Test
    void a_message_that_is_announced_as_an_activity_is_not_taken() {
        subscribe(null);
        writer.enqueueForOrchestrator(StoreFixture.start("order"), null);
        List<AnnouncedDocument> messages = fixture.documents(store, "order", "orch_queue").stream()
                .map(AnnouncedDocument::of)
                .toList();

        var announced = feed.announce(WorkQueue.ACTIVITIES, Announcement.of("order", 0, messages));

        assertThat(runtime.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
        assertThat(announced.isHandled()).isTrue();
        assertThat(StoreFixture.takeTurn(writer).item().messages()).containsExactly(StoreFixture.start("order"));
    }

    @Test
    void an_activity_that_is_given_back_for_later_is_left_to_its_announcement() {
        subscribe(null);
        writer.enqueueForWorker(activity("order", 2));
        announce("order", document -> document);
        LockedWorkItem item = take(null);
        runtime.abandonWorkItem(item.lockToken(), Duration.ofSeconds(10), false);
        ahead.addAndGet(Duration.ofSeconds(11).toMillis());
        fixture.emulator().requests().clear();

        assertThat(runtime.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();

        assertThat(fixture.dataRequests()).as("it hears of it").isEmpty();
        announce("order", document -> document);
        assertThat(take(null).item()).isEqualTo(item.item());
    }

    private static boolean isLock(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && String.valueOf(request.body()).contains("read:");
    }

    private void subscribe(@Nullable SessionFetchConfig session) {
        assertThat(runtime.fetchWorkItem(LOCK, NO_WAIT, session, TagFilter.defaultOnly()))
                .isEmpty();
    }

    private LockedWorkItem take(@Nullable SessionFetchConfig session) {
        return runtime.fetchWorkItem(LOCK, PATIENCE, session, TagFilter.defaultOnly())
                .orElseThrow(() -> new AssertionError("no activity to fetch"));
    }

    private ManualWorkFeed.Announced announce(String instance, UnaryOperator<AnnouncedDocument> change) {
        return feed.announce(
                WorkQueue.ACTIVITIES,
                Announcement.of(
                        instance, 0, documents(instance).stream().map(change).toList()));
    }

    private void announceOnly(long activity) {
        List<AnnouncedDocument> one = documents("order").stream()
                .filter(document -> Long.valueOf(activity).equals(document.activityId()))
                .toList();
        feed.announce(WorkQueue.ACTIVITIES, Announcement.of("order", 0, one));
    }

    private List<AnnouncedDocument> documents(String instance) {
        return fixture.documents(store, instance, "worker_queue").stream()
                .map(AnnouncedDocument::of)
                .toList();
    }

    private static WorkItem ofSession(long id) {
        return new WorkItem.ActivityExecute("order", 1, id, "charge", "{}", "cart", null);
    }
}
