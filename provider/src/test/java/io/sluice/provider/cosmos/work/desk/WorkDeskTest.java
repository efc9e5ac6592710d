package io.sluice.provider.cosmos.work.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkCandidate;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.feed.ManualWorkFeed;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A desk of turns, while no fetch waits. */
class WorkDeskTest {
    private static final WorkStore STORE = new WorkStore("account", "sluice", "orders", "rid-1");
    private static final WorkFilter ALL = needs -> true;

    private final ManualWorkFeed feed = new ManualWorkFeed();
    private final StoreFeed announcements = new StoreFeed(feed, STORE);
    private final WorkDesk desk = new WorkDesk(
            WorkLimits.of(WorkQueue.TURNS, Duration.ofMillis(32), Duration.ofSeconds(1))
                    .with(new WorkLimits.FeedWaits(0, 0, true)),
            (call, request) -> new WorkFound(List.of(), new WorkFound.Extent(true, true, false, 1)),
            new AnnouncedInput(announcements, WorkQueue.TURNS, new Reading(), System::nanoTime),
            InstantSource.system(),
            System::nanoTime);

    private static final class Reading implements AnnouncedInput.Reading {
        @Override
        public String text(WorkFilter filter) {
            return "all";
        }

        @Override
        public WorkNeeds needs(String instanceId, AnnouncedDocument document) {
            return WorkNeeds.UNKNOWN;
        }

        @Override
        public boolean isStart(AnnouncedDocument document) {
            return false;
        }
    }

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void help_is_asked_for_while_the_only_dispatcher_is_busy_and_nothing_else_happens() {
        desk.written(KnownWork.look("busy", 0, null));
        try (WorkDesk.Fetch fetch = begin()) {
            WorkCandidate taken = fetch.next(call()).orElseThrow();
            desk.held(
                    taken.key(),
                    System.currentTimeMillis() + Duration.ofHours(1).toMillis());
            fetch.conclude(new WorkOutcome.Locked());
        }

        feed.announce(WorkQueue.TURNS, Announcement.of("waits", 0, List.of(AnnouncedDocument.named("m", 1))));

        await().atMost(Duration.ofSeconds(30))
                .until(() -> feed.helpAsked().stream()
                        .anyMatch(asked -> asked.instanceId().equals("waits")));
    }

    @Test
    void what_a_fetch_was_given_and_did_not_conclude_is_given_to_another() {
        desk.written(KnownWork.look("i", 0, null));
        WorkDesk.Fetch broken = begin();
        assertThat(broken.next(call())).isPresent();
        broken.close();

        try (WorkDesk.Fetch fetch = begin()) {
            assertThat(fetch.next(call())).map(WorkCandidate::key).contains("i");
            fetch.conclude(new WorkOutcome.Returned(0));
        }
    }

    private WorkDesk.Fetch begin() {
        return desk.begin(ALL, Duration.ofSeconds(10));
    }

    private static Call call() {
        return Call.onContainer("test", Duration.ofMinutes(1));
    }
}
