package io.sluice.provider.cosmos.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.feed.ManualWorkFeed;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a feed makes of announcements that repeat, overtake each other or are wrong, without a store. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnnouncedCandidatesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long SURELY = Duration.ofMinutes(1).toMillis();

    private final AtomicLong ahead = new AtomicLong();
    private final AtomicInteger queries = new AtomicInteger();
    private final InstantSource clock = () -> Instant.now().plusMillis(ahead.get());
    private final ManualWorkFeed announcer = new ManualWorkFeed();
    private final CandidateFeed<Told> turns = open(WorkQueue.TURNS);
    private final CandidateFeed<Told> activities = open(WorkQueue.ACTIVITIES);

    /** What the feed knows of a candidate. */
    private record Told(
            String key, String instanceId, List<AnnouncedDocument> documents, Knowledge knowledge, long queriedAtNanos)
            implements Candidate {
        List<String> versions() {
            return documents.stream().map(AnnouncedDocument::etag).toList();
        }

        List<String> ids() {
            return documents.stream().map(AnnouncedDocument::id).toList();
        }
    }

    private CandidateFeed<Told> open(WorkQueue queue) {
        CandidateMaker<Told> maker = (instanceId, documents, knowledge, atNanos) -> new Told(
                queue == WorkQueue.TURNS ? instanceId : documents.get(0).id(),
                instanceId,
                documents,
                knowledge,
                atNanos);
        CandidateQuery<Told> nothing = (call, limit, hidden, slots, sentAtNanos) -> {
            queries.incrementAndGet();
            return new Found<>(List.of(), true);
        };
        var source = new WorkSource<>(announcer, queue, "", any -> true, maker, () -> 1);
        var timing = new SearchTiming(System::nanoTime, SearchRests.DEFAULT);
        CandidateFeed<Told> feed = CandidateFeed.open(nothing, SlotShare.ALL, source, clock, timing);
        assertThat(begin(feed, Duration.ZERO).next()).as("the first look").isEmpty();
        return feed;
    }

    @Test
    void an_activity_is_tried_by_one_version_of_those_that_were_announced_and_the_others_go_back() {
        var current = announce(WorkQueue.ACTIVITIES, "order", document("charge", "2"));
        var older = announce(WorkQueue.ACTIVITIES, "order", document("charge", "1"));

        assertThat(tryAll(activities).stream().map(Told::versions)).containsExactly(List.of("2"));
        assertThat(current.isHandled()).isTrue();
        assertThat(older.isReturned()).isTrue();
    }

    @Test
    void an_announcement_of_two_versions_is_answered_once() {
        var announced = announce(WorkQueue.ACTIVITIES, "order", document("charge", "2"), document("charge", "1"));

        assertThat(tryAll(activities).stream().map(Told::versions)).containsExactly(List.of("2"));
        assertThat(announced.isReturned()).isTrue();
    }

    @Test
    void an_activity_is_not_handled_by_a_try_in_an_instance_that_it_is_not_of() {
        announce(WorkQueue.ACTIVITIES, "no such instance", document("charge", "1"));
        var announced = announce(WorkQueue.ACTIVITIES, "order", document("charge", "1"));

        assertThat(tryAll(activities).stream().map(Told::instanceId)).containsExactly("no such instance");
        assertThat(announced.isHandled()).isFalse();
    }

    @Test
    void activities_of_one_announcement_that_no_worker_is_free_for_go_back_once() {
        ahead.addAndGet(Duration.ofMinutes(1).toMillis());

        var announced = announce(WorkQueue.ACTIVITIES, "order", document("charge", "1"), document("ship", "1"));

        assertThat(announced.isReturned()).isTrue();
        assertThat(announced.isHandled()).isFalse();
    }

    @Test
    void an_activity_that_is_due_in_a_moment_needs_no_second_look_at_it() {
        announce(WorkQueue.ACTIVITIES, "order", document("charge", "1", millis() + 50));

        assertThat(next(activities, LONG).knowledge()).isNotEqualTo(Knowledge.OUTDATED);
    }

    @Test
    void a_message_that_has_to_be_tried_again_is_not_overtaken_by_one_that_is_announced_then() {
        announce(WorkQueue.TURNS, "order", document("first", "1"));
        CandidateWait<Told> wait = begin(turns, LONG);
        Told first = wait.next().orElseThrow();
        assertThat(first.knowledge()).isEqualTo(Knowledge.COMPLETE);
        wait.giveBack(first, 0, TryOutcome.AGAIN);

        announce(WorkQueue.TURNS, "order", document("second", "2"));

        Told both = next(turns, LONG);
        assertThat(both.ids()).containsExactlyInAnyOrder("first", "second");
        assertThat(both.knowledge()).as("the instance has to be looked at").isEqualTo(Knowledge.OUTDATED);
    }

    @Test
    void a_worker_that_waits_gets_what_was_announced_of_an_excluded_candidate_when_that_ends() {
        turns.exclude("order", millis() + 300);
        announce(WorkQueue.TURNS, "order", document("message", "1"));
        long began = System.nanoTime();

        assertThat(begin(turns, LONG).next()).isPresent();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONG.dividedBy(2));
    }

    @Test
    void a_time_that_no_relay_announces_ahead_blocks_the_offset_for_two_minutes_at_most() {
        var announced = announce(
                WorkQueue.TURNS,
                "order",
                document("message", "1", millis() + Duration.ofDays(10_000).toMillis()));
        assertThat(tryAll(turns)).isEmpty();

        ahead.addAndGet(Duration.ofMinutes(2).toMillis() + 1);

        assertThat(tryAll(turns)).extracting(Told::knowledge).containsExactly(Knowledge.OUTDATED);
        assertThat(announced.isHandled()).isTrue();
    }

    @Test
    void announcements_of_what_is_gone_keep_no_fetch_far_past_its_time() {
        IntStream.range(0, 200).forEach(i -> announce(WorkQueue.TURNS, "order-" + i, document("message", "1")));
        CandidateWait<Told> wait = begin(turns, Duration.ZERO);
        long began = System.nanoTime();
        int tried = 0;

        for (var candidate = wait.next(); candidate.isPresent(); candidate = wait.next()) {
            tried++;
            awaitNanos(Duration.ofMillis(10));
            wait.giveBack(candidate.get(), 0, TryOutcome.DONE);
        }

        assertThat(tried).isBetween(1, 199);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
        assertThat(begin(turns, Duration.ZERO).next())
                .as("the next fetch goes on")
                .isPresent();
    }

    /** A request takes its time. */
    private static void awaitNanos(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
    }

    private List<Told> tryAll(CandidateFeed<Told> feed) {
        List<Told> tried = new ArrayList<>();
        CandidateWait<Told> wait = begin(feed, Duration.ZERO);
        for (Optional<Told> told = wait.next(); told.isPresent(); told = wait.next()) {
            tried.add(told.get());
            wait.giveBack(told.get(), 0, TryOutcome.DONE);
        }
        return tried;
    }

    private static Told next(CandidateFeed<Told> feed, Duration longest) {
        return begin(feed, longest).next().orElseThrow();
    }

    private static CandidateWait<Told> begin(CandidateFeed<Told> feed, Duration longest) {
        return feed.begin(Call.onContainer("test", LONG), longest);
    }

    private ManualWorkFeed.Announced announce(WorkQueue queue, String instance, AnnouncedDocument... documents) {
        return announcer.announce(queue, Announcement.of(instance, millis() + SURELY, List.of(documents)));
    }

    private static AnnouncedDocument document(String id, String version) {
        return document(id, version, 0);
    }

    private static AnnouncedDocument document(String id, String version, long visibleAt) {
        @Nullable Long neverLocked = null;
        return new AnnouncedDocument(id, "", 1, visibleAt, 1, neverLocked, 0, version, null, null, null, null);
    }

    private long millis() {
        return clock.millis();
    }
}
