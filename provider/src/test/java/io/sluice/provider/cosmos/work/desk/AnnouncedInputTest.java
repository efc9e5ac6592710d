package io.sluice.provider.cosmos.work.desk;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A desk of activities, and what its feed announces. */
class AnnouncedInputTest {
    private static final WorkStore STORE = new WorkStore("account", "sluice", "orders", "rid-1");
    private static final WorkFilter ALL = needs -> true;

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
            return filter == ALL ? "" : "other";
        }

        @Override
        public WorkNeeds needs(String instanceId, AnnouncedDocument document) {
            return WorkNeeds.ofActivity(document.tag(), null);
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
                new Announcement(Announcement.VERSION + 1, "i", 0, List.of(AnnouncedDocument.named("a", 1))));

        assertThat(desk.isAnnounced()).isFalse();
        assertThat(later.isHandled()).isTrue();
        assertThat(searchesOfAFetch()).isEqualTo(1);
        assertThat(searchesOfAFetch()).as("as without a feed").isEqualTo(1);

        pass(Duration.ofSeconds(61));
        assertThat(searchesOfAFetch()).as("for what came meanwhile").isEqualTo(1);
        assertThat(desk.isAnnounced()).isTrue();
        assertThat(searchesOfAFetch()).isZero();
    }

    private int searchesOfAFetch() {
        int before = searches.get();
        fetch();
        return searches.get() - before;
    }

    private void fetch() {
        try (WorkDesk.Fetch fetch = desk.begin(ALL, Duration.ZERO)) {
            assertThat(fetch.next(Call.onContainer("test", Duration.ofMinutes(1))))
                    .isEmpty();
        }
    }

    private void pass(Duration time) {
        nanoTime.addAndGet(time.toNanos());
    }
}
