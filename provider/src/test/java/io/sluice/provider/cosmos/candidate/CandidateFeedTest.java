package io.sluice.provider.cosmos.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What this process makes is handed to its dispatchers, where that passes nobody over. */
class CandidateFeedTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final long PATIENCE_SECONDS = 60;

    private final ConcurrentLinkedQueue<String> stored = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queries = new AtomicInteger();
    private final ExecutorService dispatchers = Executors.newCachedThreadPool();
    private final CandidateFeed<Named> feed = open(this::find, InstantSource.system(), System::nanoTime);

    private static CandidateFeed<Named> open(CandidateQuery<Named> query, InstantSource clock, LongSupplier nanoTime) {
        var polled = new WorkSource<Named>(
                null,
                WorkQueue.TURNS,
                "",
                any -> true,
                (key, documents, knowledge, atNanos) -> new Named(key, atNanos),
                () -> 1);
        return CandidateFeed.open(query, SlotShare.ALL, polled, clock, new SearchTiming(nanoTime, SearchRests.DEFAULT));
    }

    private record Named(String key, long queriedAtNanos) implements Candidate {}

    private Found<Named> find(Call call, int limit, Collection<String> hidden, SlotScope slots, long sentAtNanos) {
        queries.incrementAndGet();
        var found = stored.stream().map(key -> new Named(key, sentAtNanos)).toList();
        return new Found<>(found, true);
    }

    @AfterEach
    void end() throws InterruptedException {
        dispatchers.shutdownNow();
        assertThat(dispatchers.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void a_dispatcher_that_waits_is_handed_what_the_store_was_never_asked_for() throws Exception {
        var fetch = waiting();

        offerOnce("made here");

        assertThat(fetch.get(PATIENCE_SECONDS, TimeUnit.SECONDS).map(Named::key))
                .contains("made here");
    }

    @Test
    @Timeout(value = PATIENCE_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_fetch_without_a_wait_does_not_wait_for_the_slow_query_of_another() throws Exception {
        var gate = new CompletableFuture<Void>();
        var asked = new CountDownLatch(1);
        var slowOnce = slowOnce(asked, gate);
        var slow = dispatchers.submit(
                () -> slowOnce.begin(Call.onContainer("fetch", LONG), LONG).next());
        asked.await();

        var nothing =
                slowOnce.begin(Call.onContainer("fetch", LONG), Duration.ZERO).next();

        assertThat(nothing).isEmpty();
        assertThat(slow.isDone()).as("the other still waits for its answer").isFalse();
        gate.complete(null);
        slow.cancel(true);
    }

    @Test
    @Timeout(value = PATIENCE_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_fetch_that_waits_ends_in_time_though_the_query_of_another_stays_away() throws Exception {
        var gate = new CompletableFuture<Void>();
        var asked = new CountDownLatch(1);
        var slowOnce = slowOnce(asked, gate);
        var slow = dispatchers.submit(
                () -> slowOnce.begin(Call.onContainer("fetch", LONG), LONG).next());
        asked.await();

        var nothing = slowOnce.begin(Call.onContainer("fetch", LONG), Duration.ofMillis(50))
                .next();

        assertThat(nothing).isEmpty();
        assertThat(slow.isDone()).isFalse();
        gate.complete(null);
        slow.cancel(true);
    }

    /** The answer to its first query comes when the gate opens. */
    private CandidateFeed<Named> slowOnce(CountDownLatch asked, CompletableFuture<Void> gate) {
        return open(
                (call, limit, hidden, slots, sentAtNanos) -> {
                    if (queries.getAndIncrement() == 0) {
                        asked.countDown();
                        gate.join();
                    }
                    return new Found<>(List.of(), true);
                },
                InstantSource.system(),
                System::nanoTime);
    }

    @Test
    void a_fetch_without_a_wait_asks_again_for_what_it_was_too_slow_to_look_at() {
        stored.addAll(List.of("first", "second"));
        var nanos = new AtomicLong();
        var slow = open(this::find, InstantSource.system(), nanos::get);
        var fetch = slow.begin(Call.onContainer("fetch", LONG), Duration.ZERO);
        Named first = fetch.next().orElseThrow();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        fetch.giveBack(first, Long.MAX_VALUE, TryOutcome.DONE);

        var second = fetch.next();

        assertThat(second.map(Named::key)).contains("second");
        assertThat(queries).hasValue(2);
    }

    @Test
    void nobody_is_handed_anything_who_does_not_wait() throws Exception {
        assertThat(offer("made here")).isFalse();

        var fetch = waiting();
        offerOnce("first");
        fetch.get(PATIENCE_SECONDS, TimeUnit.SECONDS);

        assertThat(offer("second")).isFalse();
    }

    @Test
    void no_more_is_offered_than_there_are_who_wait() throws Exception {
        var gate = new CompletableFuture<Void>();
        var fetch = dispatchers.submit(() -> {
            var found = next(LONG);
            gate.join();
            return found;
        });
        awaitRest();

        offerOnce("first");
        boolean second = offer("second");
        gate.complete(null);

        assertThat(second).isFalse();
        assertThat(fetch.get(PATIENCE_SECONDS, TimeUnit.SECONDS).map(Named::key))
                .contains("first");
    }

    @Test
    void what_is_held_is_not_handed_to_anybody_and_its_release_says_that_it_was_offered() throws Exception {
        feed.exclude("held", System.currentTimeMillis() + LONG.toMillis());
        feed.exclude("untouched", System.currentTimeMillis() + LONG.toMillis());
        var fetch = waiting();
        offerOnce("held");
        assertThat(fetch).isNotDone();

        assertThat(feed.release("untouched")).isFalse();
        assertThat(feed.release("held")).isTrue();
        assertThat(fetch).isNotDone();
        offerOnce("held");

        assertThat(fetch.get(PATIENCE_SECONDS, TimeUnit.SECONDS).map(Named::key))
                .contains("held");
    }

    @Test
    void what_was_offered_while_it_was_held_is_asked_for_when_its_time_is_over() throws Exception {
        var fetch = waiting();
        feed.exclude("held", System.currentTimeMillis() + 50);
        offerOnce("held");
        stored.add("held");

        assertThat(fetch.get(PATIENCE_SECONDS, TimeUnit.SECONDS).map(Named::key))
                .contains("held");
    }

    @Test
    void what_is_offered_while_the_store_is_asked_is_handed_over_when_that_found_nothing() throws Exception {
        var asked = new CountDownLatch(1);
        var gate = new CompletableFuture<Void>();
        var slow = slowOnce(asked, gate);
        var fetch = dispatchers.submit(
                () -> slow.begin(Call.onContainer("test", LONG), LONG).next());
        asked.await();

        assertThat(slow.offer(new Named("made here", System.nanoTime()))).isTrue();
        assertThat(fetch).isNotDone();
        gate.complete(null);

        assertThat(fetch.get(PATIENCE_SECONDS, TimeUnit.SECONDS).map(Named::key))
                .contains("made here");
        assertThat(queries).hasValue(1);
    }

    @Test
    void an_offer_to_one_who_was_interrupted_is_found_by_the_next_query() throws Exception {
        var gone = new CompletableFuture<Thread>();
        var fetch = dispatchers.submit(() -> {
            gone.complete(Thread.currentThread());
            return next(LONG);
        });
        awaitRest();
        gone.join().interrupt();
        assertThat(fetch)
                .failsWithin(Duration.ofSeconds(PATIENCE_SECONDS))
                .withThrowableOfType(ExecutionException.class);

        assertThat(offer("lost otherwise")).isFalse();
        stored.add("lost otherwise");

        assertThat(next(LONG).map(Named::key)).contains("lost otherwise");
    }

    @Test
    void what_came_back_is_asked_for_before_what_is_new() throws Exception {
        var fetch = waiting();
        stored.add("old");
        feed.restart();
        offer("new");

        assertThat(fetch.get(PATIENCE_SECONDS, TimeUnit.SECONDS).map(Named::key))
                .contains("old");
    }

    @Test
    void the_store_is_asked_soon_after_an_offer() throws Exception {
        var fetches = List.of(waiting(), waiting());
        offerOnce("made here");
        int before = queries.get();

        await().until(() -> queries.get() > before);
        stored.add("made elsewhere");

        for (var fetch : fetches) {
            assertThat(fetch.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isPresent();
        }
    }

    @Test
    void what_was_passed_over_and_is_found_again_keeps_nobody_past_its_time() throws Exception {
        CandidateQuery<Named> pages = (call, limit, hidden, slots, sentAtNanos) -> hidden.contains("not worth it")
                ? new Found<>(List.of(), true)
                : new Found<>(List.of(new Named("not worth it", sentAtNanos)), false);
        var nowMillis = new AtomicLong(System.currentTimeMillis());
        var paged = open(pages, () -> Instant.ofEpochMilli(nowMillis.get()), System::nanoTime);
        var wait = paged.begin(Call.onContainer("test", LONG), Duration.ZERO);
        wait.giveBack(wait.next().orElseThrow(), nowMillis.get() + 1, TryOutcome.DONE);
        nowMillis.addAndGet(5);

        assertThat(wait.next()).isEmpty();
        assertThat(paged.begin(Call.onContainer("test", LONG), Duration.ZERO).next())
                .as("another time")
                .isPresent();
    }

    private Future<Optional<Named>> waiting() {
        var fetch = dispatchers.submit(() -> next(LONG));
        awaitRest();
        return fetch;
    }

    /** After a few empty answers it is a while until the next query. */
    private void awaitRest() {
        int before = queries.get();
        await().until(() -> queries.get() >= before + 3);
    }

    private Optional<Named> next(Duration longest) {
        var wait = feed.begin(Call.onContainer("test", LONG), longest);
        return wait.next();
    }

    /** Nothing is handed on while it is time to ask the store. */
    private void offerOnce(String key) {
        await().until(() -> offer(key));
    }

    private boolean offer(String key) {
        return feed.offer(new Named(key, System.nanoTime()));
    }
}
