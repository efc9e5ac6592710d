package io.sluice.relay.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.Pulse;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.relay.TestDocuments;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.topic.Topics;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** One range, with Kafka's own producer for tests. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RangeWorkTest {
    private static final WorkStore STORE = new WorkStore("account", "sluice", "orders", "rid");
    private static final KeyRange RANGE = KeyRange.cut(4).get(1);
    private static final long NOW = 1_000_000;
    private static final long WINDOW = 60_000;
    private static final long SECOND = 1_000;

    private final MockProducer<byte[], byte[]> kafka =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RangeWork work = new RangeWork(
            new RangeWork.Identity(STORE, RANGE, 100),
            new RangeWork.Sender(
                    new AnnouncementRecords(new Topics("orders")),
                    new AnnouncementProducer(() -> kafka),
                    new DispatchMeters(meters)),
            new Horizon(WINDOW),
            wakeUps::incrementAndGet);

    private static ObjectNode message(String id, long visibleAt) {
        return TestDocuments.message("order", id, visibleAt).put("_etag", "\"1\"");
    }

    private static ObjectNode activity(String id, long visibleAt) {
        return TestDocuments.activity("order", id, visibleAt).put("_etag", "\"1\"");
    }

    private void page(long now, JsonNode... documents) throws InterruptedException {
        work.announce(new FeedPage(List.of(documents), "next"), now).awaitTaken();
    }

    private void look(long now, JsonNode... rows) throws InterruptedException {
        var window = work.horizon().beginLook(now);
        work.announceFound(List.of(rows), now);
        work.horizon().endLook(window, now);
    }

    private Stream<Announcement> announced(String topic) {
        return kafka.history().stream()
                .filter(message -> message.topic().equals(topic))
                .map(message -> Announcement.fromJson(message.value()));
    }

    private List<Announcement> turns() {
        return announced("orders.work.turns").toList();
    }

    private List<String> activities() {
        return announced("orders.work.activities")
                .flatMap(each -> each.documents().stream())
                .map(AnnouncedDocument::id)
                .toList();
    }

    @Test
    void a_timer_that_is_written_while_a_look_is_under_way_is_announced_by_the_feed() throws InterruptedException {
        look(NOW);
        var window = work.horizon().beginLook(NOW + 30 * SECOND);

        page(NOW + 30 * SECOND, message("timer", NOW + 80 * SECOND));
        work.horizon().endLook(window, NOW + 30 * SECOND);

        assertThat(turns()).singleElement().satisfies(each -> {
            assertThat(each.documents()).extracting(AnnouncedDocument::id).containsExactly("timer");
            assertThat(each.horizon())
                    .as("what the look finds is not announced yet")
                    .isEqualTo(NOW + WINDOW);
        });
    }

    @Test
    void what_a_page_has_bears_its_session_token_and_what_a_look_finds_none() throws InterruptedException {
        look(NOW);
        var page = new FeedPage(List.of(message("of the feed", NOW)), "next", false, false, "0:-1#5012");
        work.announce(page, NOW).awaitTaken();
        look(NOW + 30 * SECOND, message("of a look", NOW + 70 * SECOND));

        assertThat(turns()).extracting(Announcement::token).containsExactly("0:-1#5012", null);
    }

    @Test
    void so_do_activities_also_those_that_are_held() throws InterruptedException {
        look(NOW, activity("of a look", NOW));
        var documents = List.<JsonNode>of(activity("now", NOW), activity("soon", NOW + 10 * SECOND));
        work.announce(new FeedPage(documents, "next", false, false, "0:-1#5012"), NOW)
                .awaitTaken();
        work.announceDue(NOW + 10 * SECOND);

        assertThat(activities()).containsExactly("of a look", "now", "soon");
        assertThat(announced("orders.work.activities"))
                .extracting(Announcement::token)
                .containsExactly(null, "0:-1#5012", "0:-1#5012");
    }

    /** One partition of the topic may be sick alone. */
    @Test
    void what_was_refused_of_a_page_is_what_is_tried_again() throws InterruptedException {
        look(NOW);
        kafka.clear();
        var refusing = new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        var producer = new AnnouncementProducer(() -> refusing);
        var records = new AnnouncementRecords(new Topics("orders"));
        var some = new RangeWork(
                new RangeWork.Identity(STORE, RANGE, 100),
                new RangeWork.Sender(records, producer, new DispatchMeters(meters)),
                new Horizon(WINDOW),
                () -> {});
        some.horizon().beginLook(NOW);
        var announced = some.announce(
                new FeedPage(
                        List.of(
                                TestDocuments.message("well", "a", NOW).put("_etag", "\"1\""),
                                TestDocuments.message("sick", "b", NOW).put("_etag", "\"1\"")),
                        "next"),
                NOW);
        var sent = refusing.history().stream()
                .map(each -> new String(each.key(), UTF_8))
                .toList();
        refusing.completeNext();
        refusing.errorNext(new TimeoutException("no leader"));
        announced.awaitTaken();

        assertThatThrownBy(() -> {
                    var answers = new Thread(() -> {
                        while (!refusing.errorNext(new TimeoutException("no leader"))) {
                            Thread.onSpinWait();
                        }
                    });
                    answers.setDaemon(true);
                    answers.start();
                    some.tryDropped();
                })
                .isInstanceOf(KafkaException.class);

        assertThat(sent).hasSize(2);
        assertThat(refusing.history().get(2).key()).isEqualTo(sent.get(1).getBytes(UTF_8));
    }

    @Test
    void content_that_a_look_finds_is_not_to_be_believed() throws InterruptedException {
        look(NOW);
        look(NOW + 30 * SECOND, message("overdue", NOW), message("timer", NOW + 70 * SECOND));

        assertThat(turns())
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.horizon()).isZero());
        assertThat(turns()).anyMatch(Announcement::isCheck);
        assertThat(turns().stream().flatMap(each -> each.documents().stream()))
                .extracting(AnnouncedDocument::id)
                .containsExactly("timer");
    }

    @Test
    void activities_are_announced_at_their_times() throws InterruptedException {
        look(NOW, activity("looked", NOW + 20 * SECOND));
        page(NOW, activity("now", NOW), activity("soon", NOW + 10 * SECOND), activity("far", NOW + WINDOW));
        assertThat(activities()).containsExactly("now");
        assertThat(wakeUps.get()).isEqualTo(2);

        work.announceDue(NOW + 10 * SECOND);
        assertThat(activities()).containsExactly("now", "soon");

        work.announceDue(NOW + 30 * SECOND);
        assertThat(activities()).containsExactly("now", "soon", "looked");
    }

    @Test
    void a_held_activity_whose_lock_was_renewed_is_left_to_the_next_look() throws InterruptedException {
        look(NOW, activity("running", NOW).put("lockedUntil", NOW + 10 * SECOND));

        page(NOW + SECOND, activity("running", NOW).put("lockedUntil", NOW + 40 * SECOND));
        work.announceDue(NOW + 20 * SECOND);

        assertThat(activities()).isEmpty();
        assertThat(work.nextAt()).isEqualTo(HeldActivities.NEVER);
    }

    @Test
    void activities_beyond_the_limit_come_with_the_next_look() throws InterruptedException {
        var many = IntStream.rangeClosed(0, RangeWork.MOST_HELD)
                .mapToObj(i -> activity("a" + i, NOW + SECOND + i))
                .toArray(JsonNode[]::new);

        look(NOW, many);

        assertThat(work.held()).isEqualTo(RangeWork.MOST_HELD);
        long leftOut = NOW + SECOND + RangeWork.MOST_HELD;
        assertThat(work.horizon().declared()).isEqualTo(leftOut);
        assertThat(work.horizon().beginLook(NOW + SECOND).visibleFrom()).isEqualTo(leftOut);
    }

    @Test
    void held_activities_that_kafka_refuses_stay() throws InterruptedException {
        look(NOW, activity("held", NOW + SECOND));
        kafka.sendException = new RecordTooLargeException("too large");

        assertThatThrownBy(() -> work.announceDue(NOW + SECOND)).isInstanceOf(KafkaException.class);

        assertThat(work.held()).isEqualTo(1);
    }

    @Test
    void after_a_page_that_kafka_refuses_nothing_counts_as_complete_until_all_that_is_overdue_was_announced()
            throws InterruptedException {
        look(NOW);
        kafka.sendException = new RecordTooLargeException("too large");
        page(NOW, message("dropped", NOW));
        kafka.sendException = null;
        assertThat(work.problem()).hasValueSatisfying(why -> assertThat(why).contains("too large"));

        work.tryDropped();
        page(NOW + SECOND, message("next", NOW + SECOND));

        assertThat(turns().get(0)).as("the trial").matches(Announcement::isCheck);
        assertThat(turns())
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.horizon()).isZero());
        look(NOW + SECOND, message("dropped", NOW), message("next", NOW + SECOND));
        page(NOW + 2 * SECOND, message("soon after", NOW + 2 * SECOND));
        assertThat(turns().get(3).horizon())
                .as("the replica that was asked may lag")
                .isZero();

        long sure = NOW + Horizon.REPLICA_LAG_MILLIS;
        look(sure);
        page(sure, message("later", sure));
        assertThat(turns().get(4).horizon()).isEqualTo(sure + WINDOW);
        assertThat(work.problem()).isEmpty();
    }

    @Test
    void while_kafka_takes_none_pages_are_not_sent_and_each_puts_off_the_look_that_counts()
            throws InterruptedException {
        var drops = new AtomicInteger();
        work.onDropped(drops::incrementAndGet);
        look(NOW);
        kafka.sendException = new RecordTooLargeException("too large");
        page(NOW, message("dropped", NOW));
        kafka.sendException = null;

        page(NOW + 10 * SECOND, message("not sent", NOW), activity("not sent", NOW));
        page(NOW + 11 * SECOND);

        assertThat(kafka.history()).isEmpty();
        assertThat(drops).hasValue(1);
        work.tryDropped();
        look(NOW + Horizon.REPLICA_LAG_MILLIS);
        assertThat(work.horizon().declared()).as("not since the second page").isZero();
        look(NOW + 10 * SECOND + Horizon.REPLICA_LAG_MILLIS);
        assertThat(work.horizon().declared()).isPositive();
    }

    @Test
    void a_page_is_dropped_once_however_often_it_is_awaited() throws InterruptedException {
        var slow = new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        var late = new RangeWork(
                new RangeWork.Identity(STORE, RANGE, 100),
                new RangeWork.Sender(
                        new AnnouncementRecords(new Topics("orders")),
                        new AnnouncementProducer(() -> slow),
                        new DispatchMeters(meters)),
                new Horizon(WINDOW),
                () -> {});
        var announced = late.announce(new FeedPage(List.of(message("m", NOW)), "next"), NOW);
        slow.errorNext(new TimeoutException("no leader"));

        announced.awaitTaken();
        announced.awaitTaken();

        assertThat(meters.counter("sluice.relay.dispatch.failures", "source", "feed")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void a_range_pulses_while_it_is_announced_and_looked_at_ahead() throws InterruptedException {
        page(NOW);
        assertThat(work.pulse(NOW)).as("not looked ahead").isEmpty();
        look(NOW);

        assertThat(work.pulse(NOW)).contains(Pulse.of(STORE, RANGE.min(), RANGE.max(), NOW, 0, NOW + WINDOW));

        assertThat(work.pulse(NOW + 6 * SECOND)).as("paused").isEmpty();
        page(NOW + WINDOW);
        assertThat(work.pulse(NOW + WINDOW)).as("no lookahead since").isEmpty();
    }

    @Test
    void a_page_that_was_not_taken_is_no_sign_of_life() throws InterruptedException {
        look(NOW);
        kafka.sendException = new RecordTooLargeException("too large");
        page(NOW, message("m", NOW));

        assertThat(work.pulse(NOW)).isEmpty();
    }

    @Test
    void a_pulse_says_how_far_the_feed_is_behind() throws InterruptedException {
        look(NOW);
        page(NOW, old(NOW - 9 * SECOND), message("m", NOW));
        page(NOW);

        assertThat(work.pulse(NOW))
                .hasValueSatisfying(pulse -> assertThat(pulse.lagMillis())
                        .as("of the page with the old document, although the next one was empty")
                        .isEqualTo(8 * SECOND));
        page(NOW + SECOND);
        assertThat(work.pulse(NOW + SECOND))
                .hasValueSatisfying(pulse -> assertThat(pulse.lagMillis()).isZero());
        assertThat(work.pulse(NOW + 4 * SECOND))
                .hasValueSatisfying(pulse ->
                        assertThat(pulse.lagMillis()).as("nothing was read").isEqualTo(3 * SECOND));
    }

    private static JsonNode old(long millis) {
        return JsonNodeFactory.instance.objectNode().put("type", "history").put("_ts", millis / SECOND);
    }
}
