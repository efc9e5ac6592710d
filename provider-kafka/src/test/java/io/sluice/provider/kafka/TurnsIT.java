package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Turns through a consumer group, on a real broker. */
@Order(1)
class TurnsIT extends BrokerTest {
    @Test
    void announcements_arrive_in_order_and_are_committed_up_to_the_first_that_is_not_handled() {
        RecordingListener listener = RecordingListener.silent();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            awaitHealthy(feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener));
            await().until(() -> listener.timesLost() == 1);
            broker.announceTurns("a", "b", "c", "d");
            await().until(() -> listener.instances().size() == 4);

            listener.get(0).receipt().handled();
            listener.get(2).receipt().handled();
            listener.get(3).receipt().handled();
            await().untilAsserted(() -> assertThat(broker.committed(group())).isEqualTo(1));
            listener.get(1).receipt().handled();
            await().untilAsserted(() -> assertThat(broker.committed(group())).isEqualTo(4));

            assertThat(listener.instances()).containsExactly("a", "b", "c", "d");
        }
    }

    @Test
    void a_group_without_an_offset_begins_at_the_end_and_its_provider_looks_at_everything() {
        broker.announceTurns("before");
        RecordingListener listener = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            awaitHealthy(feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener));
            await().until(() -> listener.timesLost() == 1);
            broker.announceTurns("after");
            await().until(() -> !listener.instances().isEmpty());

            assertThat(listener.instances()).containsExactly("after");
        }
    }

    @Test
    void what_a_closed_process_did_not_handle_goes_to_the_next_one_in_order() {
        RecordingListener first = RecordingListener.silent();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            awaitHealthy(feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", first));
            await().until(() -> first.timesLost() == 1);
            broker.announceTurns("a", "b", "c");
            await().until(() -> first.instances().size() == 3);
            first.get(0).receipt().handled();
            first.get(2).receipt().handled();
        }
        assertThat(first.get(1).receipt().isCurrent())
                .as("belongs to the next process")
                .isFalse();

        RecordingListener next = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", next);
            await().until(() -> next.instances().size() == 2);

            assertThat(next.instances()).containsExactly("b", "c");
            assertThat(next.timesLost()).as("nothing was lost").isZero();
        }
    }

    @Test
    void a_second_process_takes_partitions_and_the_receipts_of_the_first_are_not_current_any_more() {
        broker.newTopics(2);
        RecordingListener first = RecordingListener.silent();
        RecordingListener second = RecordingListener.silent();
        try (KafkaWorkFeed one = broker.feed().build();
                KafkaWorkFeed two = broker.feed().build()) {
            WorkFeed.Subscription ones = one.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", first);
            awaitHealthy(ones);
            await().until(() -> first.timesLost() > 0);
            String[] instances = IntStream.range(0, 40).mapToObj(i -> "i-" + i).toArray(String[]::new);
            broker.announceTurns(instances);
            await().until(() -> first.instances().size() == 40);

            WorkFeed.Subscription twos = two.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", second);

            await().untilAsserted(() -> assertThat(second.instances()).isNotEmpty());
            await().untilAsserted(() -> assertThat(IntStream.range(0, 40)
                            .filter(i -> !first.get(i).receipt().isCurrent())
                            .mapToObj(i -> first.get(i).instance())
                            .toList())
                    .as("each has one owner")
                    .containsExactlyInAnyOrderElementsOf(second.instances())
                    .hasSizeLessThan(40));
            assertThat(second.instances()).allMatch(twos::isOwn).noneMatch(ones::isOwn);
        }
    }

    @Test
    void different_filters_each_hear_everything() {
        RecordingListener one = RecordingListener.handling();
        RecordingListener two = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            awaitHealthy(feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", one));
            awaitHealthy(feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "versions 1 to 2", two));
            await().until(() -> one.timesLost() + two.timesLost() == 2);

            broker.announceTurns("a");

            await().until(() ->
                    one.instances().equals(List.of("a")) && two.instances().equals(List.of("a")));
        }
    }

    @Test
    void a_partition_is_paused_beyond_the_limit_and_goes_on_when_half_is_handled() {
        RecordingListener listener = RecordingListener.silent();
        try (KafkaWorkFeed feed = broker.feed().unhandledTurns(10).build()) {
            awaitHealthy(feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener));
            await().until(() -> listener.timesLost() == 1);
            broker.announceTurns(IntStream.range(0, 10).mapToObj(i -> "a-" + i).toArray(String[]::new));
            await().until(() -> listener.instances().size() == 10);
            broker.announceTurns("later");
            await().during(Duration.ofMillis(500))
                    .until(() -> listener.instances().size() == 10);

            IntStream.range(0, 5).forEach(i -> listener.get(i).receipt().handled());

            await().until(() -> listener.instances().contains("later"));
        }
    }

    @Test
    void deleted_records_are_a_gap() {
        RecordingListener first = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            awaitHealthy(feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", first));
            await().until(() -> first.timesLost() == 1);
            broker.announceTurns("a");
            await().until(() -> broker.committed(group()) == 1);
        }
        broker.announceTurns("b", "c", "d");
        TestBroker.await(broker.admin()
                .deleteRecords(Map.of(
                        new TopicPartition(broker.topics().of(WorkQueue.TURNS), 0), RecordsToDelete.beforeOffset(3)))
                .all());

        RecordingListener next = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", next);
            await().until(() -> next.instances().equals(List.of("d")));

            assertThat(next.timesLost()).isEqualTo(1);
        }
    }

    @Test
    void a_topic_that_is_created_again_is_read_from_its_beginning_and_the_provider_looks_at_everything() {
        RecordingListener listener = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            WorkFeed.Subscription subscription = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener);
            awaitHealthy(subscription);
            await().until(() -> listener.timesLost() == 1);
            broker.announceTurns("a", "b");
            await().until(() -> listener.instances().size() == 2);
            broker.deleteTopics();
            await().until(() -> !subscription.isHealthy());

            int lostBefore = listener.timesLost();
            broker.createTopics(1);
            awaitHealthy(subscription);
            await().until(() -> listener.timesLost() > lostBefore);
            broker.announceTurns("c");

            await().untilAsserted(() -> assertThat(listener.instances()).contains("c"));
        }
    }

    @Test
    void records_that_are_no_announcements_are_counted_and_passed_over() {
        var meters = new SimpleMeterRegistry();
        RecordingListener listener = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().meterRegistry(meters).build()) {
            awaitHealthy(feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener));
            await().until(() -> listener.timesLost() == 1);
            broker.send(WorkQueue.TURNS, "x", null);
            broker.send(WorkQueue.TURNS, "x", new byte[] {1, 2, 3});
            broker.send(WorkQueue.TURNS, "x", "{\"version\":1}".getBytes(StandardCharsets.UTF_8));
            broker.send(
                    WorkQueue.TURNS,
                    "x",
                    "{\"version\":7,\"instanceId\":\"x\",\"news\":[]}".getBytes(StandardCharsets.UTF_8));
            broker.announceTurns("a");

            await().until(() -> listener.instances().equals(List.of("x", "a")));
            await().until(() -> broker.committed(group()) == 5);
            assertThat(meters.counter("sluice.work.malformed", "queue", "turns").count())
                    .isEqualTo(3);
            assertThat(meters.counter("sluice.work.announcements", "queue", "turns")
                            .count())
                    .isEqualTo(2);
            assertThat(meters.get("sluice.work.feed.healthy")
                            .tag("queue", "turns")
                            .gauge()
                            .value())
                    .isEqualTo(1);
        }
    }

    private String group() {
        return broker.topics().group(WorkQueue.TURNS, TestBroker.STORE, "");
    }

    @Test
    void a_process_whose_dispatchers_look_for_nothing_leaves_all_turns_to_others_until_they_look_again() {
        broker.newTopics(2);
        FeedTimings timings = TestBroker.QUICK.withReadAfterFetch(Duration.ofSeconds(1));
        RecordingListener idle = RecordingListener.handling();
        RecordingListener busy = RecordingListener.handling();
        try (KafkaWorkFeed one = broker.feed().timings(timings).build();
                KafkaWorkFeed two = broker.feed().timings(timings).build()) {
            WorkFeed.Subscription ones = subscribeAndFetch(one, idle);
            WorkFeed.Subscription twos = subscribeAndFetch(two, busy);
            awaitHealthy(ones);
            awaitHealthy(twos);
            await().until(() -> owned(ones) > 0 && owned(twos) > 0);

            ones.fetchEnded();
            // It says so a moment before it has left the group; what comes meanwhile is still its own.
            await().until(() -> !ones.isHealthy() && owned(ones) == 0);
            String[] instances = IntStream.range(0, 40).mapToObj(i -> "i-" + i).toArray(String[]::new);
            broker.announceTurns(instances);
            await().until(() -> busy.instances().size() == 40);
            assertThat(idle.instances()).isEmpty();

            ones.fetchBegan();
            awaitHealthy(ones);
            await().until(() -> owned(ones) > 0 && owned(twos) > 0);
        }
    }

    private static WorkFeed.Subscription subscribeAndFetch(WorkFeed feed, WorkFeed.Listener listener) {
        WorkFeed.Subscription subscription = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener);
        subscription.fetchBegan();
        return subscription;
    }

    private static long owned(WorkFeed.Subscription subscription) {
        return IntStream.range(0, 40).filter(i -> subscription.isOwn("i-" + i)).count();
    }

    private static void awaitHealthy(WorkFeed.Subscription subscription) {
        await().until(subscription::isHealthy);
    }
}
