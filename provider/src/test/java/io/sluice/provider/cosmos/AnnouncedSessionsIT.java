package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Activities of sessions are announced to all processes: what that costs those that do not own the session. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnnouncedSessionsIT {
    private static final SessionFetchConfig OWNER = new SessionFetchConfig("owner", LOCK);
    private static final SessionFetchConfig OTHER = new SessionFetchConfig("other", LOCK);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private final ManualWorkFeed feed = new ManualWorkFeed();
    private CosmosStore store;
    private CosmosProvider owner;
    private CosmosProvider other;

    @BeforeEach
    void open() {
        store = fixture.store();
        owner = fixture.provider(ahead());
        other = fixture.provider(ahead().workFeed(feed));
        assertThat(poll()).as("the first fetch subscribes").isNull();
        owner.enqueueForWorker(activity(1));
        LockedWorkItem first = take();
        owner.ackWorkItem(first.lockToken(), completed("order", 1));
    }

    private CosmosProviderBuilder ahead() {
        return CosmosProvider.builder()
                .reconciler(false)
                .clock(() -> Instant.now().plusMillis(ahead.get()));
    }

    @Test
    void anothers_session_is_read_once_for_all_its_activities() {
        owner.enqueueForWorker(activity(2));
        owner.enqueueForWorker(activity(3));

        assertRequests(1, this::announce);
        for (int second = 0; second < 20; second += 5) {
            ahead.addAndGet(Duration.ofSeconds(5).toMillis());
            assertRequests(0, () -> {});
        }
    }

    @Test
    void what_the_owner_did_is_forgotten_when_its_claim_would_lapse() {
        owner.enqueueForWorker(activity(2));
        List<ManualWorkFeed.Announced> announced = announce();
        assertThat(poll()).isNull();
        owner.ackWorkItem(take().lockToken(), completed("order", 2));

        ahead.addAndGet(LOCK.plusSeconds(1).toMillis());

        assertRequests(1, () -> {});
        assertThat(announced).allMatch(ManualWorkFeed.Announced::isHandled);
        ahead.addAndGet(LOCK.multipliedBy(3).toMillis());
        assertRequests(0, () -> {});
    }

    @Test
    void what_an_owner_that_lives_has_not_done_is_left_to_it() {
        owner.enqueueForWorker(activity(2));
        List<ManualWorkFeed.Announced> announced = announce();
        assertThat(poll()).isNull();
        ahead.addAndGet(LOCK.minusSeconds(1).toMillis());
        assertThat(owner.renewSessionLock(List.of("owner"), LOCK, Duration.ofHours(1)))
                .isOne();
        ahead.addAndGet(Duration.ofSeconds(2).toMillis());

        assertRequests(2, () -> {});

        assertThat(announced).allMatch(ManualWorkFeed.Announced::isHandled);
        ahead.addAndGet(Duration.ofSeconds(20).toMillis());
        assertRequests(0, () -> {});
    }

    @Test
    void what_an_owner_left_that_died_is_taken_when_its_claim_lapses() {
        owner.enqueueForWorker(activity(2));
        announce();
        assertThat(poll()).isNull();

        ahead.addAndGet(LOCK.plusSeconds(1).toMillis());

        assertThat(poll()).extracting(LockedWorkItem::item).isEqualTo(activity(2));
    }

    @Test
    void sessions_of_two_instances_are_two_however_their_names_run_together() {
        owner.enqueueForWorker(inSession("a:session:b", "c", 1));
        owner.enqueueForWorker(inSession("a:session:b", "c", 2));
        owner.ackWorkItem(take().lockToken(), completed("a:session:b", 1));
        announce("a:session:b");
        assertThat(poll()).as("the owner holds the session").isNull();

        owner.enqueueForWorker(inSession("a", "b:session:c", 1));
        announce("a");

        assertThat(poll()).extracting(LockedWorkItem::item).isEqualTo(inSession("a", "b:session:c", 1));
    }

    private static WorkItem inSession(String instance, String session, long id) {
        return new WorkItem.ActivityExecute(instance, 1, id, "charge", "{}", session, null);
    }

    private void assertRequests(int requests, Runnable step) {
        step.run();
        fixture.emulator().requests().clear();
        assertThat(poll()).isNull();
        assertThat(fixture.dataRequests()).hasSize(requests);
    }

    private List<ManualWorkFeed.Announced> announce() {
        return announce("order");
    }

    private List<ManualWorkFeed.Announced> announce(String instance) {
        return fixture.documents(store, instance, "worker_queue").stream()
                .map(AnnouncedDocument::of)
                .map(document -> feed.announce(
                        WorkQueue.ACTIVITIES, Announcement.of(instance, System.currentTimeMillis(), List.of(document))))
                .toList();
    }

    private @Nullable LockedWorkItem poll() {
        return other.fetchWorkItem(LOCK, NO_WAIT, OTHER, TagFilter.defaultOnly())
                .orElse(null);
    }

    private LockedWorkItem take() {
        return owner.fetchWorkItem(LOCK, Duration.ofSeconds(20), OWNER, TagFilter.defaultOnly())
                .orElseThrow(() -> new AssertionError("no activity to fetch"));
    }

    private static WorkItem activity(long id) {
        return new WorkItem.ActivityExecute("order", 1, id, "charge", "{}", "cart", null);
    }
}
