package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.testkit.seed.Tier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Activities through a share group, on a real broker. */
@Order(1)
class ActivitiesIT extends BrokerTest {
    private static final int TIMES = Tier.times(2, 4);

    @Test
    void a_free_worker_gets_the_next_activity_and_a_busy_one_none() {
        RecordingListener listener = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().activityReaders(2).build()) {
            WorkFeed.Subscription subscription = subscribe(feed, listener);
            broker.announceActivities("a", "b", "c");
            await().during(Duration.ofMillis(500))
                    .until(() -> listener.instances().isEmpty());

            subscription.request(2);
            await().until(() -> listener.instances().size() == 2);
            await().during(Duration.ofMillis(500))
                    .until(() -> listener.instances().size() == 2);
            subscription.request(1);

            await().untilAsserted(() -> assertThat(listener.instances()).containsExactlyInAnyOrder("a", "b", "c"));
        }
    }

    @Test
    void a_slow_worker_holds_nobody_up() {
        RecordingListener slow = RecordingListener.silent();
        RecordingListener quick = RecordingListener.handling();
        try (KafkaWorkFeed one = broker.feed().activityReaders(1).build();
                KafkaWorkFeed two = broker.feed().activityReaders(1).build()) {
            WorkFeed.Subscription slowWorker = subscribe(one, slow);
            WorkFeed.Subscription quickWorker = subscribe(two, quick);
            slowWorker.request(1);
            broker.announceActivities("first");
            await().until(() -> slow.instances().size() == 1);

            quickWorker.request(100);
            broker.announceActivities(
                    IntStream.range(0, 20).mapToObj(i -> "a-" + i).toArray(String[]::new));

            await().until(() -> quick.instances().size() == 20);
            assertThat(slow.get(0).receipt().isCurrent()).isTrue();
        }
    }

    @Test
    void a_returned_activity_is_announced_again() {
        Set<String> returned = ConcurrentHashMap.newKeySet();
        RecordingListener listener = RecordingListener.answering(heard -> {
            if (returned.add(heard.instance())) {
                heard.receipt().returned();
            } else {
                heard.receipt().handled();
            }
        });
        try (KafkaWorkFeed feed = broker.feed().build()) {
            subscribe(feed, listener).request(10);
            broker.announceActivities("a", "b");

            await().untilAsserted(() -> assertThat(listener.instances()).containsExactlyInAnyOrder("a", "a", "b", "b"));
        }
    }

    @Test
    void an_activity_that_is_returned_again_and_again_is_copied() {
        RecordingListener listener =
                RecordingListener.answering(heard -> heard.receipt().returned());
        try (KafkaWorkFeed feed = broker.feed().activityReaders(1).build()) {
            subscribe(feed, listener).request(10);
            int before = listener.timesLost();
            broker.announceActivities("a");

            await().until(() -> listener.instances().size() > 5);
            assertThat(listener.timesLost()).isEqualTo(before);
            assertThat(broker.startOfActivities())
                    .as("the first record is handled")
                    .isEqualTo(1);
        }
    }

    @Test
    void a_copy_is_for_the_group_alone_whose_member_wrote_it() {
        RecordingListener returning =
                RecordingListener.answering(heard -> heard.receipt().returned());
        RecordingListener other = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().activityReaders(1).build()) {
            subscribe(feed, returning).request(10);
            WorkFeed.Subscription ofOther = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "other", other);
            await().until(ofOther::isHealthy);
            ofOther.request(10);
            broker.announceActivities("a");
            await("it is copied twice").until(() -> broker.writtenTo(activities()) == 3);

            broker.announceActivities("b");

            await().until(() -> other.instances().contains("b"));
            assertThat(other.instances()).containsExactly("a", "b");
        }
    }

    @Test
    void one_that_is_still_returned_after_a_minute_is_looked_for() {
        RecordingListener listener =
                RecordingListener.answering(heard -> heard.receipt().returned());
        try (KafkaWorkFeed feed = broker.feed().activityReaders(1).build()) {
            subscribe(feed, listener).request(10);
            int before = listener.timesLost();
            broker.announceActivity("a", System.currentTimeMillis() - 61_000);
            broker.flush();

            await().until(() -> listener.timesLost() > before);
            assertThat(listener.instances()).hasSize(4);
        }
    }

    /** Each of the former had a fetch at the broker, and no worker by the time the record came. */
    @Test
    void what_four_processes_have_no_worker_for_comes_to_a_fifth() {
        groupHasBegun();
        broker.announceActivities("a");
        releaseActivity(3);
        RecordingListener busy = RecordingListener.handling();
        RecordingListener idle = RecordingListener.handling();
        try (KafkaWorkFeed fourth = broker.feed().activityReaders(1).build();
                KafkaWorkFeed fifth = broker.feed().activityReaders(1).build()) {
            subscribe(fourth, busy);
            await("the record is copied").until(() -> broker.writtenTo(activities()) == 2);

            subscribe(fifth, idle).request(5);

            await().until(() -> !idle.instances().isEmpty());
            await().during(Duration.ofMillis(500)).until(() -> idle.instances().equals(List.of("a")));
            assertThat(busy.instances()).isEmpty();
            assertThat(busy.timesLost() + idle.timesLost())
                    .as("when each of them joined")
                    .isEqualTo(2);
        }
    }

    @Test
    void what_can_not_be_copied_is_looked_for() {
        groupHasBegun();
        broker.announceActivities("a");
        releaseActivity(3);
        broker.refuse(activities());
        RecordingListener busy = RecordingListener.handling();
        try (KafkaWorkFeed fourth = broker.feed().activityReaders(1).build()) {
            subscribe(fourth, busy);

            await("beside the look when it joined").until(() -> busy.timesLost() == 2);
        }
    }

    @Test
    void an_activity_without_an_answer_goes_to_another_process_when_its_time_is_over() {
        RecordingListener silent = RecordingListener.silent();
        RecordingListener quick = RecordingListener.handling();
        try (KafkaWorkFeed one = broker.feed().build();
                KafkaWorkFeed two = broker.feed().build()) {
            WorkFeed.Subscription first = subscribe(one, silent);
            WorkFeed.Subscription second = subscribe(two, quick);
            first.request(1);
            broker.announceActivities("a");
            await().until(() -> silent.instances().size() == 1);

            second.request(5);

            await().until(() -> quick.instances().equals(List.of("a")));
            assertThat(silent.get(0).receipt().isCurrent()).isFalse();
        }
    }

    @Test
    void what_a_closed_process_did_not_handle_goes_to_another_at_once() {
        RecordingListener silent = RecordingListener.silent();
        RecordingListener quick = RecordingListener.handling();
        broker.lockRecordsFor(Duration.ofMinutes(1));
        try (KafkaWorkFeed two = broker.feed().build()) {
            WorkFeed.Subscription second = subscribe(two, quick);
            try (KafkaWorkFeed one = broker.feed().build()) {
                subscribe(one, silent).request(1);
                broker.announceActivities("a");
                await().until(() -> silent.instances().size() == 1);
            }
            second.request(5);

            await().until(() -> quick.instances().equals(List.of("a")));
        }
    }

    @Test
    void a_record_that_is_no_announcement_holds_nobody_up() {
        RecordingListener listener = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            subscribe(feed, listener).request(10);
            broker.send(WorkQueue.ACTIVITIES, "x", new byte[] {1});
            broker.send(WorkQueue.ACTIVITIES, "x", null);
            broker.announceActivities("a");

            await().until(() -> listener.instances().equals(List.of("a")));
        }
    }

    @Test
    void activities_of_sessions_go_to_every_process_that_owns_sessions_and_others_to_one() {
        RecordingListener one = RecordingListener.handling();
        RecordingListener two = RecordingListener.handling();
        try (KafkaWorkFeed feedOne = broker.feed().build();
                KafkaWorkFeed feedTwo = broker.feed().build()) {
            WorkFeed.Subscription first = feedOne.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "sessions:", one);
            WorkFeed.Subscription second = feedTwo.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "sessions:", two);
            await().until(() -> first.isHealthy() && second.isHealthy());
            first.request(10);
            second.request(10);
            broker.announceActivity("of-session", "s-1");
            broker.announceActivity("plain", null);
            broker.flush();

            await().until(() ->
                    one.instances().contains("of-session") && two.instances().contains("of-session"));
            await().untilAsserted(() -> assertThat(IntStream.of(count(one, "plain"), count(two, "plain"))
                            .sum())
                    .isEqualTo(1));
            assertThat(count(one, "of-session") + count(two, "of-session")).isEqualTo(2);
        }
    }

    @Test
    void an_activity_of_a_session_takes_no_worker_of_a_process_without_sessions() {
        RecordingListener listener = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().activityReaders(1).build()) {
            subscribe(feed, listener).request(1);
            broker.announceActivity("of-session", "s-1");
            broker.announceActivity("plain", null);
            broker.flush();

            await().until(() -> listener.instances().contains("plain"));
            assertThat(listener.instances()).containsExactly("plain");
        }
    }

    @Test
    void an_activity_for_other_filters_takes_no_worker() {
        RecordingListener listener = RecordingListener.handling().taking("gpu");
        try (KafkaWorkFeed feed = broker.feed().activityReaders(1).build()) {
            subscribe(feed, listener).request(1);
            broker.announceActivities("a", "b", "gpu", "c");

            await().until(() -> listener.instances().equals(List.of("gpu")));
        }
    }

    @Test
    void of_an_old_backlog_for_other_filters_many_are_taken_at_once() {
        RecordingListener listener = RecordingListener.handling().taking("gpu");
        String group = broker.topics().group(WorkQueue.ACTIVITIES, TestBroker.STORE, "");
        try (KafkaWorkFeed feed = broker.feed().activityReaders(1).build()) {
            WorkFeed.Subscription subscription = subscribe(feed, listener);
            long old = System.currentTimeMillis() - 10_000;
            IntStream.range(0, 20_000).forEach(i -> broker.announceActivity(i % 1_000 == 999 ? "gpu-" + i : "a", old));
            broker.flush();

            subscription.request(100);

            await("another member helps").until(() -> broker.members(group) == 2);
            await().until(() -> listener.instances().size() == 20);
            await("it leaves").until(() -> broker.members(group) == 1);
            assertThat(Set.copyOf(listener.instances())).hasSize(20);
            assertThat(listener.timesLost()).as("when it joined").isEqualTo(1);
        }
    }

    @Test
    void what_can_not_be_read_goes_to_every_process_that_owns_sessions_since_it_may_be_of_any() {
        RecordingListener one = RecordingListener.handling();
        RecordingListener two = RecordingListener.handling();
        try (KafkaWorkFeed feedOne = broker.feed().build();
                KafkaWorkFeed feedTwo = broker.feed().build()) {
            WorkFeed.Subscription first = feedOne.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "sessions:", one);
            WorkFeed.Subscription second = feedTwo.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "sessions:", two);
            await().until(() -> first.isHealthy() && second.isHealthy());
            broker.send(
                    WorkQueue.ACTIVITIES,
                    "x",
                    "{\"version\":7,\"instanceId\":\"x\",\"news\":[]}".getBytes(StandardCharsets.UTF_8));
            broker.flush();

            await().until(() -> one.instances().contains("x") && two.instances().contains("x"));
        }
    }

    @Test
    void a_new_group_stores_its_place_and_members_that_come_later_leave_it() {
        broker.announceActivities("before", "and before");
        try (KafkaWorkFeed one = broker.feed().build()) {
            subscribe(one, RecordingListener.handling());
            assertThat(broker.startOfActivities()).isEqualTo(2);
        }
        broker.announceActivities("after");
        try (KafkaWorkFeed two = broker.feed().build()) {
            subscribe(two, RecordingListener.handling());
            assertThat(broker.startOfActivities()).isEqualTo(2);
        }
        RecordingListener last = RecordingListener.handling();
        try (KafkaWorkFeed three = broker.feed().build()) {
            subscribe(three, last).request(10);

            await().untilAsserted(
                            () -> assertThat(last.instances()).isNotEmpty().containsOnly("after"));
        }
    }

    /** The members of its group do not all leave at once. */
    @Test
    void a_topic_made_again_gets_a_place_although_four_readers_read_the_former() {
        RecordingListener listener = RecordingListener.handling();
        try (KafkaWorkFeed feed = broker.feed().activityReaders(4).build()) {
            WorkFeed.Subscription subscription = subscribe(feed, listener);
            for (int times = 1; times <= TIMES; times++) {
                subscription.request(4);
                broker.announceActivities("a-" + times, "b-" + times, "c-" + times, "d-" + times);
                int count = 4 * times;
                await().until(() -> listener.instances().size() == count);
                int lost = listener.timesLost();

                broker.deleteTopics();
                broker.createTopics(1);

                await().until(() -> listener.timesLost() > lost && subscription.isHealthy());
                assertThat(broker.startOfActivities()).isZero();
            }
        }
    }

    private void groupHasBegun() {
        try (KafkaWorkFeed first = broker.feed().build()) {
            subscribe(first, RecordingListener.handling());
        }
    }

    private void releaseActivity(int times) {
        broker.release(broker.topics().group(WorkQueue.ACTIVITIES, TestBroker.STORE, ""), activities(), times);
    }

    private String activities() {
        return broker.topics().of(WorkQueue.ACTIVITIES);
    }

    private static int count(RecordingListener listener, String instance) {
        return (int) listener.instances().stream().filter(instance::equals).count();
    }

    /** The group begins at the end of the topic, which a member notices when it has joined. */
    private static WorkFeed.Subscription subscribe(KafkaWorkFeed feed, RecordingListener listener) {
        WorkFeed.Subscription subscription = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", listener);
        await().until(subscription::isHealthy);
        return subscription;
    }
}
