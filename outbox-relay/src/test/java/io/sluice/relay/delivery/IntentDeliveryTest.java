package io.sluice.relay.delivery;

import static io.sluice.relay.delivery.IntentExamples.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.Heartbeats;
import io.sluice.relay.control.Pauses;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntentDeliveryTest {
    /** Runs as the system's, and stands a little after the intents were made. */
    private static final InstantSource CLOCK = since(System.currentTimeMillis());

    private final ScriptedOutbox outbox = new ScriptedOutbox();
    private final AtomicLong nanos = new AtomicLong();
    private final Heartbeats heartbeats = new Heartbeats(nanos::get);
    private final Pauses pauses = new Pauses();
    private final RelayConfig.Delivery config = IntentExamples.delivering(new RelayConfig.Backoff(
            RelayConfig.BackoffKind.EXPONENTIAL, Duration.ofMillis(50), Duration.ofMillis(300), 0.5));
    private final IntentDelivery delivery = new IntentDelivery(
            new SourceDrains(
                    new SourceDrains.Store(outbox, IntentExamples.onePartition(), CLOCK),
                    config,
                    new DeliveryCounters(millis -> {}, () -> {}),
                    RelayMemory.ofHeap()),
            config,
            Duration.ofSeconds(5),
            new PipelineControl(Pipeline.INTENTS, pauses, heartbeats),
            CLOCK);

    private static InstantSource since(long start) {
        return () -> Instant.ofEpochMilli(60_000 + System.currentTimeMillis() - start);
    }

    @AfterEach
    void close() {
        delivery.close();
    }

    /** Shows changes to delivery, and waits until it has nothing more to do. */
    private void workOff(List<JsonNode> changes) {
        assertThat(delivery.enqueueChanged(changes)).isTrue();
        await().until(() -> delivery.status().sourcesWaiting() == 0);
    }

    /** Lets ten minutes go by and waits for a sign of life. */
    private void assertLives() {
        heartbeats.beat(Pipeline.INTENTS.label());
        nanos.addAndGet(Duration.ofMinutes(10).toNanos());
        await().untilAsserted(() ->
                assertThat(heartbeats.silence(Pipeline.INTENTS.label())).isZero());
    }

    private static JsonNode document(String source, String id, String status, long deliverAfter) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "outbox_intent")
                .put("id", id)
                .put("_etag", "etag")
                .put("instanceId", source)
                .put("status", status)
                .put("deliverAfter", deliverAfter);
    }

    @Test
    void an_intent_in_the_feed_has_its_source_worked_off_before_the_page_is_done() throws Exception {
        outbox.holding(intent("s", "t", 1), intent("s", "t", 2));
        delivery.start();

        workOff(List.of(document("s", "intent:1", "pending", 0)));

        assertThat(outbox.isEmpty()).isTrue();
    }

    @Test
    void what_is_no_open_intent_rings_nothing() throws Exception {
        outbox.holding(intent("s", "t", 1));
        delivery.start();

        workOff(List.of(
                document("s", "intent:1", "failed", 0),
                JsonNodeFactory.instance.objectNode().put("type", "history")));

        assertThat(outbox.isEmpty()).isFalse();
    }

    @Test
    void the_same_version_heard_by_two_readers_is_looked_at_once() throws Exception {
        var first = intent("s", "t", 1);
        outbox.holding(first);
        delivery.start();
        var page = List.<JsonNode>of(document("s", first.id(), "pending", 0));
        workOff(page);
        outbox.holding(intent("s", "t", 2));

        workOff(page);

        assertThat(outbox.isEmpty()).as("the second was not asked for").isFalse();
    }

    @Test
    void a_version_that_the_first_look_did_not_find_is_looked_for_again() throws Exception {
        var late = intent("s", "t", 1);
        var page = List.<JsonNode>of(document("s", late.id(), "pending", 0));
        delivery.start();
        workOff(page);
        outbox.holding(late);

        workOff(page);

        assertThat(outbox.isEmpty())
                .as("read from a copy of the store that lagged behind the feed")
                .isTrue();
    }

    @Test
    void an_intent_the_ack_still_tries_itself_is_left_alone_until_its_time() {
        long soon = CLOCK.millis() + 400;
        outbox.holding(intent("s", "t", 1, soon, 0));
        delivery.start();

        delivery.enqueueChanged(List.of(document("s", "intent:1", "pending", soon)));

        await().until(outbox::isEmpty);
        assertThat(CLOCK.millis()).isGreaterThanOrEqualTo(soon);
    }

    @Test
    void a_failure_is_tried_again_without_anybody_ringing() {
        var intent = intent("s", "t", 1);
        var problem = new DeliveryOutcome.Transient("away", null);
        outbox.holding(intent).answering(intent, problem, problem, problem, problem, problem, problem, problem);
        delivery.start();

        delivery.requestDrain("s");

        await().until(outbox::isEmpty);
    }

    @Test
    void a_store_that_can_not_be_read_is_asked_again() {
        outbox.holding(intent("s", "t", 1)).unreadable(3);
        delivery.start();

        delivery.requestDrain("s");

        await().until(outbox::isEmpty);
    }

    @Test
    void a_ring_before_the_start_is_not_lost() {
        outbox.holding(intent("s", "t", 1));
        delivery.requestDrain("s");

        delivery.start();

        await().until(outbox::isEmpty);
    }

    @Test
    void looks_that_end_in_an_error_cost_no_thread() {
        var intents = IntStream.rangeClosed(1, 8)
                .mapToObj(i -> intent("s-" + i, "t", 1))
                .toArray(Intent[]::new);
        var met = ConcurrentHashMap.newKeySet();
        outbox.holding(intents).before(intent -> {
            if (met.add(intent.sourceInstance())) {
                throw new StackOverflowError("too deep");
            }
        });
        delivery.start();

        IntStream.rangeClosed(1, 8).forEach(i -> delivery.requestDrain("s-" + i));

        await().until(outbox::isEmpty);
    }

    @Test
    void delivery_that_meets_nothing_but_failures_is_alive() {
        var throttled = new DeliveryOutcome.Transient("throttled", Duration.ofMillis(10));
        var intent = intent("s", "t", 1);
        outbox.holding(intent)
                .answering(intent, Stream.generate(() -> throttled).limit(1_000).toArray(DeliveryOutcome[]::new));
        delivery.start();

        delivery.requestDrain("s");

        assertLives();
        assertThat(outbox.isEmpty()).isFalse();
    }

    @Test
    void delivery_that_is_paused_with_work_in_hand_is_alive() {
        pauses.pause(List.of(Pipeline.INTENTS));
        outbox.holding(intent("s", "t", 1));
        delivery.start();

        delivery.requestDrain("s");

        assertLives();
        assertThat(outbox.isEmpty()).isFalse();
    }

    @Test
    void a_pause_comes_into_effect_in_the_middle_of_a_long_pair() {
        outbox.holding(IntStream.rangeClosed(1, 250)
                        .mapToObj(position -> intent("s", "t", position))
                        .toArray(Intent[]::new))
                .before(intent -> pauses.pause(List.of(Pipeline.INTENTS)));
        delivery.start();

        delivery.requestDrain("s");
        await().until(() -> outbox.removals.size() == 1);
        assertLives();

        assertThat(outbox.removals).containsExactly(100);
        outbox.before(intent -> {});
        pauses.resume(List.of(Pipeline.INTENTS));
        await().until(outbox::isEmpty);
    }

    @Test
    void a_target_that_does_not_answer_holds_up_neither_the_other_targets_of_its_source_nor_their_removal()
            throws Exception {
        var answers = new CountDownLatch(1);
        var asked = new AtomicInteger();
        outbox.holding(intent("s", "silent", 1), intent("s", "silent", 2), intent("s", "t", 3))
                .before(intent -> {
                    if (intent.targetInstance().equals("silent") && asked.incrementAndGet() == 1) {
                        IntentExamples.awaitReleased(answers);
                    }
                });
        delivery.start();
        delivery.requestDrain("s");
        await().until(() -> outbox.removals.equals(List.of(1)));

        var later = intent("s", "t", 4);
        outbox.holding(later);
        delivery.requestDrain("s");
        await().until(() -> outbox.removals.equals(List.of(1, 1)));
        assertThat(asked).as("what is under way is not sent twice").hasValue(1);

        answers.countDown();
        await().until(outbox::isEmpty);
        assertThat(outbox.delivered)
                .filteredOn(intent -> intent.targetInstance().equals("silent"))
                .extracting(Intent::position)
                .containsExactly(1, 2);
        assertThat(outbox.removals).containsExactly(1, 1, 2);
    }

    @Test
    void a_pause_ends_also_what_no_drain_waits_for_any_more() throws Exception {
        var answers = new CountDownLatch(1);
        outbox.holding(intent("s", "silent", 1), intent("s", "silent", 2), intent("s", "t", 3))
                .before(intent -> {
                    if (intent.targetInstance().equals("silent")) {
                        IntentExamples.awaitReleased(answers);
                    }
                });
        delivery.start();
        delivery.requestDrain("s");
        await().until(() -> outbox.removals.equals(List.of(1)));
        await().until(() -> delivery.status().sourcesWaiting() == 0);

        pauses.pause(List.of(Pipeline.INTENTS));
        answers.countDown();

        await().until(() -> outbox.deliveries() == 2 && delivery.status().sourcesWaiting() == 1);
        assertThat(outbox.delivered).extracting(Intent::position).containsExactlyInAnyOrder(1, 3);
        pauses.resume(List.of(Pipeline.INTENTS));
        await().until(outbox::isEmpty);
        assertThat(outbox.delivered).hasSize(3);
    }

    @Test
    void a_slow_partition_delivers_what_it_can_and_each_once() {
        outbox.holding(IntStream.range(0, 60)
                        .mapToObj(i -> intent("s-" + i % 3, "t-" + i % 5, i))
                        .toArray(Intent[]::new))
                .before(intent -> {
                    if (intent.position() == 0) {
                        await().until(() -> outbox.deliveries() > 50);
                    }
                });
        delivery.start();
        IntStream.range(0, 3).forEach(i -> delivery.requestDrain("s-" + i));

        await().until(outbox::isEmpty);

        assertThat(outbox.delivered).hasSize(60).doesNotHaveDuplicates();
        assertThat(outbox.asked("s-1")).as("reads of a source").isLessThan(10);
    }

    @Test
    void a_target_that_fails_late_is_tried_again() {
        var answers = new CountDownLatch(1);
        var intent = intent("s", "t", 1);
        outbox.holding(intent)
                .answering(intent, new DeliveryOutcome.Transient("away", null))
                .before(sent -> IntentExamples.awaitReleased(answers));
        delivery.start();
        delivery.requestDrain("s");
        await().until(() -> delivery.status().sourcesWaiting() == 0);

        answers.countDown();

        await().until(outbox::isEmpty);
    }

    @Test
    void sources_that_wait_long_do_not_keep_the_sweep_from_finding_others() throws Exception {
        var good = intent("good", "t", 1);
        outbox.holding(good);
        delivery.start();
        long inAnHour = CLOCK.millis() + Duration.ofHours(1).toMillis();

        for (int page = 0; page < 4; page++) {
            var parked = "parked-" + page + "-";
            var sources = IntStream.range(0, 700).mapToObj(i -> parked + i).collect(Collectors.toSet());
            sources.forEach(source -> outbox.holding(intent(source, "away", 1, 0, inAnHour)));
            delivery.enqueueSwept(sources);
            await().until(delivery::hasRoom);
        }
        delivery.enqueueSwept(Set.of("good"));

        await().until(() -> outbox.delivered.contains(good));
    }

    @Test
    void a_version_that_a_drain_has_not_found_is_looked_for_once_more() {
        var late = intent("s", "t", 1);
        delivery.start();
        delivery.enqueueChanged(List.of(document("s", late.id(), "pending", 0)));
        await().until(() -> outbox.asked("s") == 1);
        outbox.holding(late);

        await().until(outbox::isEmpty);
    }

    @Test
    void who_shows_more_than_there_is_room_for_is_told() {
        // Never started: all of them wait.
        var shown = IntStream.range(0, 50_000)
                .mapToObj(i -> document("s" + i, "intent:1", "pending", 0))
                .toList();

        assertThat(delivery.enqueueChanged(shown)).isFalse();

        assertThat(delivery.enqueueChanged(List.of(document("s0", "intent:2", "pending", 0))))
                .as("its source waits already")
                .isTrue();
    }
}
