package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.feed.ManualWorkFeed;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Activities that a turn queued at once are taken up by one turn, where they complete one soon after another. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AwaitedCompletionsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration WAIT = Duration.ofSeconds(30);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private ManualWorkFeed feed;
    private CosmosProvider runtime;

    @BeforeEach
    void open() {
        feed = new ManualWorkFeed();
        feed.setCompletionsWithin(WAIT);
        runtime = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .clock(() -> Instant.now().plusMillis(ahead.get()))
                .workFeed(feed));
        assertThat(pollTurn()).as("the first fetch subscribes").isEmpty();
        assertThat(runtime.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()))
                .isEmpty();
    }

    @Test
    void the_completions_of_a_fan_out_are_taken_by_one_turn() {
        fanOut(20);
        for (int i = 0; i < 19; i++) {
            completeOne();
            assertThat(pollTurn()).as("activities left: %d", 19 - i).isEmpty();
        }
        fixture.emulator().requests().clear();

        completeOne();
        LockedTurn turn = takeTurn();

        assertThat(turn.item().messages())
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(2, 21)
                        .mapToObj(id -> completed("order", id))
                        .toList());
        assertThat(fixture.dataRequests())
                .filteredOn(request -> request.operation() == RequestKind.BATCH)
                .as("the activity's lock and ack, the turn's lock")
                .hasSize(3);
    }

    @Test
    void a_turn_waits_no_longer_than_the_feed_says_and_only_once() {
        fanOut(3);
        completeOne();
        assertThat(pollTurn()).isEmpty();

        ahead.addAndGet(WAIT.plusSeconds(1).toMillis());

        LockedTurn turn = takeTurn();
        assertThat(turn.item().messages()).hasSize(1);
        runtime.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        completeOne();
        assertThat(takeTurn().item().messages()).hasSize(1);
    }

    @Test
    void each_completion_lets_a_turn_wait_for_the_next_one_up_to_five_times_as_long() {
        Duration most = WAIT.multipliedBy(9).dividedBy(10);
        fanOut(9);
        for (int i = 0; i < 5; i++) {
            completeOne();
            assertThat(pollTurn()).as("after %s", most.multipliedBy(i)).isEmpty();
            ahead.addAndGet(most.toMillis());
        }
        completeOne();
        assertThat(pollTurn()).isEmpty();

        ahead.addAndGet(WAIT.multipliedBy(5).minus(most.multipliedBy(5)).toMillis());

        assertThat(takeTurn().item().messages()).hasSize(6);
    }

    @Test
    void a_turn_does_not_wait_for_a_single_activity() {
        fanOut(1);
        completeOne();

        assertThat(takeTurn().item().messages()).containsExactly(completed("order", 2));
    }

    @Test
    void a_turn_that_queues_nothing_ends_what_the_turn_before_it_awaited() {
        fanOut(3);
        runtime.enqueueForOrchestrator(raised("order", "now"), null);
        assertThat(pollTurn()).isEmpty();
        ahead.addAndGet(WAIT.plusSeconds(1).toMillis());
        runtime.ackOrchestrationItem(TurnAck.of(takeTurn().lockToken(), 1));

        runtime.enqueueForOrchestrator(raised("order", "again"), null);

        assertThat(takeTurn().item().messages()).containsExactly(raised("order", "again"));
    }

    private void fanOut(int activities) {
        runtime.enqueueForOrchestrator(start("order"), null);
        feed.announce(WorkQueue.TURNS, Announcement.check("order"));
        runtime.ackOrchestrationItem(firstAck(takeTurn())
                .withWorkerItems(IntStream.range(2, 2 + activities)
                        .mapToObj(id -> activity("order", id))
                        .toList()));
    }

    private void completeOne() {
        LockedWorkItem item = runtime.fetchWorkItem(LOCK, PATIENCE, null, TagFilter.defaultOnly())
                .orElseThrow();
        var execute = (WorkItem.ActivityExecute) item.item();
        runtime.ackWorkItem(item.lockToken(), completed("order", execute.id()));
    }

    private Optional<LockedTurn> pollTurn() {
        return runtime.fetchOrchestrationItem(LOCK, NO_WAIT, null);
    }

    private LockedTurn takeTurn() {
        return runtime.fetchOrchestrationItem(LOCK, PATIENCE, null).orElseThrow();
    }
}
