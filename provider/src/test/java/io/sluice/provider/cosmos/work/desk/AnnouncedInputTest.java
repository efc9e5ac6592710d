package io.sluice.provider.cosmos.work.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.feed.ManualWorkFeed;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A desk of activities, and what its feed announces. */
class AnnouncedInputTest {
    private static final WorkStore STORE = new WorkStore("account", "sluice", "orders", "rid-1");
    private static final WorkFilter ALL = needs -> needs.owner() == null;
    private static final WorkFilter RED = needs -> "red".equals(needs.tag());

    private final ManualWorkFeed feed = new ManualWorkFeed();
    private final AtomicLong nanoTime = new AtomicLong();
    private final AtomicInteger searches = new AtomicInteger();
    private final WorkDesk desk = new WorkDesk(
            WorkLimits.of(WorkQueue.ACTIVITIES, Duration.ofMillis(32), Duration.ofSeconds(1)),
            (call, request) -> {
                searches.incrementAndGet();
                return new WorkFound(List.of(), new WorkFound.Extent(true, true, false, 1));
            },
            new AnnouncedInput(new StoreFeed(feed, STORE), WorkQueue.ACTIVITIES, new Reading(), nanoTime::get),
            InstantSource.system(),
            nanoTime::get);

    private static final class Reading implements AnnouncedInput.Reading {
        @Override
        public String text(WorkFilter filter) {
            return filter == ALL ? "all" : "red";
        }

        @Override
        public WorkNeeds needs(String instanceId, AnnouncedDocument document) {
            return WorkNeeds.ofActivity(document.tag(), document.sessionId());
        }

        @Override
        public boolean isStart(AnnouncedDocument document) {
            return false;
        }
    }

    @Test
    void activities_that_are_announced_in_a_later_format_are_searched_for() {
        fetch();
        assertThat(searchesOfAFetch()).as("the feed is relied on").isZero();

        ManualWorkFeed.Announced later = feed.announce(
                WorkQueue.ACTIVITIES,
                new Announcement(Announcement.VERSION + 1, "i", 0, List.of(AnnouncedDocument.named("a", 1)), null));

        assertThat(desk.isAnnounced()).isFalse();
        assertThat(later.isHandled()).isTrue();
        assertThat(searchesOfAFetch()).isEqualTo(1);
        assertThat(searchesOfAFetch()).as("as without a feed").isEqualTo(1);

        pass(Duration.ofSeconds(61));
        assertThat(searchesOfAFetch()).as("for what came meanwhile").isEqualTo(1);
        assertThat(desk.isAnnounced()).isTrue();
        assertThat(searchesOfAFetch()).isZero();
    }

    @Test
    void what_is_announced_for_a_filter_that_nobody_uses_any_more_is_not_listened_to() {
        fetch();
        fetch(RED);
        pass(Duration.ofMinutes(10).minusSeconds(1));
        fetch();
        assertThat(feed.subscribed()).containsExactly("all", "red");

        pass(Duration.ofSeconds(1));
        fetch();
        assertThat(feed.subscribed()).containsExactly("all");
        assertThat(desk.isAnnounced()).isTrue();

        fetch(RED);
        assertThat(feed.subscribed()).containsExactly("all", "red");
    }

    @Test
    void it_is_listened_to_while_a_fetch_is_under_way() {
        WorkDesk.Fetch slow = desk.begin(RED, Duration.ofHours(1));
        pass(Duration.ofMinutes(11));
        fetch();
        assertThat(feed.subscribed()).containsExactly("red", "all");

        slow.close();
        fetch();
        assertThat(feed.subscribed()).as("it has just ended").containsExactly("red", "all");
    }

    @Test
    void the_only_filter_is_listened_to_however_long_nobody_has_used_it() {
        fetch();
        pass(Duration.ofHours(1));

        fetch();

        assertThat(feed.everSubscribed()).containsExactly("all");
    }

    @Test
    void what_is_asked_for_is_said_again_since_the_feed_may_have_taken_one_off() {
        fetch();
        assertThat(feed.requested()).containsExactly(1);

        feed.announce(WorkQueue.ACTIVITIES, Announcement.of("i", 0, List.of(activity("session", null))));
        fetch();

        assertThat(feed.requested()).containsExactly(1, 1);
    }

    @Test
    void the_feed_can_tell_what_no_worker_with_the_filter_takes() {
        fetch(RED);

        assertThat(feed.isForFilter(WorkQueue.ACTIVITIES, Announcement.of("i", 0, List.of(activity(null, "red")))))
                .isTrue();
        assertThat(feed.isForFilter(WorkQueue.ACTIVITIES, Announcement.of("i", 0, List.of(activity(null, "blue")))))
                .isFalse();
        assertThat(feed.isForFilter(WorkQueue.ACTIVITIES, Announcement.check("i")))
                .as("nobody knows what it is")
                .isTrue();
    }

    private static AnnouncedDocument activity(@Nullable String session, @Nullable String tag) {
        return new AnnouncedDocument("a", "ActivityExecute", 10, 1, 1, null, 0, "etag", 1L, 1L, session, tag, null);
    }

    @Test
    void a_filter_that_comes_into_use_makes_nobody_query_but_itself() {
        fetch();
        feed.setListening("red", false);
        pass(Duration.ofSeconds(1));

        assertThat(searchesOf(() -> fetch(RED))).isEqualTo(1);
        assertThat(desk.isAnnounced()).isTrue();
        assertThat(searchesOfAFetch()).isZero();

        feed.setListening("red", true);
        assertThat(searchesOf(() -> fetch(RED)))
                .as("what came before it was listened for")
                .isEqualTo(1);
        assertThat(searchesOf(() -> fetch(RED))).isZero();
    }

    @Test
    void where_the_feed_does_not_come_to_listen_for_a_filter_all_is_queried() {
        fetch();
        feed.setListening("red", false);
        fetch(RED);
        pass(Duration.ofSeconds(11));

        assertThat(desk.isAnnounced()).isFalse();
        assertThat(searchesOfAFetch()).isEqualTo(1);
    }

    @Test
    void that_is_noticed_while_all_fetches_wait() throws Exception {
        fetch();
        feed.setListening("red", false);
        WorkDesk.Fetch waits = desk.begin(RED, Duration.ofHours(1));
        pass(Duration.ofMillis(9_900));
        CompletableFuture<Boolean> waiting =
                CompletableFuture.supplyAsync(() -> waits.next(call()).isPresent());
        await().until(() -> searches.get() == 2);
        assertThat(desk.isAnnounced()).isTrue();

        pass(Duration.ofSeconds(1));

        await().until(() -> searches.get() == 3);
        desk.close();
        assertThat(waiting.get()).isFalse();
    }

    @Test
    void a_filter_that_comes_again_is_waited_for_like_a_new_one() {
        fetch();
        fetch(RED);
        pass(Duration.ofMinutes(1));
        feed.setListening("red", false);
        fetch();

        fetch(RED);

        assertThat(desk.isAnnounced()).isTrue();
    }

    private int searchesOf(Runnable fetch) {
        int before = searches.get();
        fetch.run();
        return searches.get() - before;
    }

    private int searchesOfAFetch() {
        return searchesOf(this::fetch);
    }

    private void fetch() {
        fetch(ALL);
    }

    private void fetch(WorkFilter filter) {
        try (WorkDesk.Fetch fetch = desk.begin(filter, Duration.ZERO)) {
            assertThat(fetch.next(call())).isEmpty();
        }
    }

    private static Call call() {
        return Call.onContainer("test", Duration.ofMinutes(1));
    }

    private void pass(Duration time) {
        nanoTime.addAndGet(time.toNanos());
    }
}
