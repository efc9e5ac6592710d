package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.feed.ManualWorkFeed;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An announced activity that is read before it is locked, being large: what has become of it, an announcement holds a
 * record of the topic and one of few readers no longer than it has to.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReadActivitiesIT {
    private static final WorkItem LARGE =
            new WorkItem.ActivityExecute("order", 1, 2, "charge", "x".repeat(300_000), null, null);

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
        writer = fixture.provider(CosmosProvider.builder().reconciler(false).clock(Instant::now));
        runtime = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .clock(() -> Instant.now().plusMillis(ahead.get()))
                .workFeed(feed));
        assertThat(poll()).as("the first fetch subscribes").isNull();
        writer.enqueueForWorker(LARGE);
    }

    @Test
    void what_another_has_completed_is_handled_by_one_read_that_is_as_far_as_its_page() {
        Announcement announcement = announcement().at(fixture.sessionToken(store, "order"));
        writer.ackWorkItem(StoreFixture.takeActivity(writer).lockToken(), completed("order", 2));

        assertHandledByOneRead(announcement);
    }

    @Test
    void what_another_has_taken_is_handled_by_one_read_that_is_as_far_as_its_page() {
        Announcement announcement = announcement().at(fixture.sessionToken(store, "order"));
        StoreFixture.takeActivity(writer);

        assertHandledByOneRead(announcement);
    }

    @Test
    void what_was_taken_again_since_its_lock_lapsed_is_handled_by_one_read() {
        StoreFixture.takeActivity(writer);
        Announcement ofALookahead = announcement();
        try (CosmosProvider later = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .clock(() -> Instant.now().plus(LOCK).plusSeconds(1)))) {
            assertThat(StoreFixture.takeActivity(later).attemptCount()).isEqualTo(2);
        }

        ahead.addAndGet(LOCK.plusSeconds(2).toMillis());
        assertThat(poll()).as("it is held").isNull();

        assertHandledByOneRead(ofALookahead);
    }

    @Test
    void a_read_from_further_back_does_not_settle_what_it_shows_under_a_lock() {
        Announcement announcement = announcement().at(fixture.sessionTokenAhead(store, "order"));
        LockedWorkItem held = StoreFixture.takeActivity(writer);

        var announced = feed.announce(WorkQueue.ACTIVITIES, announcement);

        assertThat(poll()).isNull();
        assertThat(announced.isHandled())
                .as("it may have been given back since")
                .isFalse();
        writer.abandonWorkItem(held.lockToken(), null, true);
        ahead.addAndGet(1_001);
        assertThat(poll()).extracting(LockedWorkItem::item).isEqualTo(LARGE);
        assertThat(announced.isHandled()).isTrue();
    }

    @Test
    void a_later_version_that_is_free_is_taken() {
        Announcement first = announcement().at(fixture.sessionToken(store, "order"));
        writer.abandonWorkItem(StoreFixture.takeActivity(writer).lockToken(), null, false);
        Announcement second = announcement().at(fixture.sessionToken(store, "order"));

        var later = feed.announce(WorkQueue.ACTIVITIES, second);
        var earlier = feed.announce(WorkQueue.ACTIVITIES, first);

        assertThat(poll()).extracting(LockedWorkItem::attemptCount).isEqualTo(2);
        assertThat(later.isHandled()).isTrue();
        assertThat(earlier.isHandled()).isTrue();
    }

    private void assertHandledByOneRead(Announcement announcement) {
        fixture.emulator().requests().clear();

        var announced = feed.announce(WorkQueue.ACTIVITIES, announcement);

        assertThat(poll()).isNull();
        assertThat(announced.isHandled()).isTrue();
        assertThat(fixture.dataRequests()).hasSize(1);
    }

    private Announcement announcement() {
        List<AnnouncedDocument> documents = fixture.documents(store, "order", "worker_queue").stream()
                .map(AnnouncedDocument::of)
                .toList();
        return Announcement.of("order", 0, documents);
    }

    private @Nullable LockedWorkItem poll() {
        return runtime.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly())
                .orElse(null);
    }
}
