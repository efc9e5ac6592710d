package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What a closed feed leaves behind. */
@Isolated("it looks at the threads and log lines of all feeds of this JVM")
class ClosingIT {
    @Test
    void what_relied_on_a_feed_is_told_when_it_is_closed() {
        try (TestBroker broker = TestBroker.shared()) {
            broker.newTopics(1).startPulses();
            RecordingListener turns = RecordingListener.handling();
            RecordingListener activities = RecordingListener.handling();
            KafkaWorkFeed feed = broker.feed().build();
            WorkFeed.Subscription turnFeed = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", turns);
            WorkFeed.Subscription activityFeed = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", activities);
            await().until(() -> turnFeed.isHealthy() && activityFeed.isHealthy());
            int turnChanges = turns.healthChanges();
            int activityChanges = activities.healthChanges();

            feed.close();

            assertThat(turnFeed.isHealthy()).isFalse();
            assertThat(activityFeed.isHealthy()).isFalse();
            assertThat(turns.healthChanges()).isEqualTo(turnChanges + 1);
            assertThat(activities.healthChanges()).isEqualTo(activityChanges + 1);
        }
    }

    @Test
    void one_subscription_is_closed_what_it_had_goes_to_others_and_the_rest_goes_on() {
        try (TestBroker broker = TestBroker.shared()) {
            broker.newTopics(1).startPulses();
            broker.lockRecordsFor("other", Duration.ofMinutes(1));
            RecordingListener stays = RecordingListener.handling();
            RecordingListener left = RecordingListener.silent();
            RecordingListener next = RecordingListener.handling();
            try (KafkaWorkFeed one = broker.feed().build();
                    KafkaWorkFeed two = broker.feed().build()) {
                WorkFeed.Subscription used = one.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", stays);
                await().until(used::isHealthy);
                Set<String> before = threads();
                WorkFeed.Subscription turns = one.subscribe(TestBroker.STORE, WorkQueue.TURNS, "other", left);
                WorkFeed.Subscription activities = one.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "other", left);
                activities.request(1);
                await().until(() -> turns.isHealthy() && activities.isHealthy() && left.timesLost() == 2);
                broker.announceTurns("turn");
                broker.announceActivities("activity");
                await().until(() -> Set.copyOf(left.instances()).equals(Set.of("turn", "activity")));

                turns.close();
                activities.close();

                assertThat(turns.isHealthy()).isFalse();
                assertThat(activities.isHealthy()).isFalse();
                await("its threads end").until(() -> threads().equals(before));
                assertThat(List.of(left.get(0), left.get(1)))
                        .noneMatch(heard -> heard.receipt().isCurrent());
                two.subscribe(TestBroker.STORE, WorkQueue.TURNS, "other", next);
                two.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "other", next)
                        .request(1);
                await().untilAsserted(() -> assertThat(next.instances()).containsExactlyInAnyOrder("turn", "activity"));
                assertThat(used.isHealthy()).isTrue();
                broker.announceTurns("later");
                await().until(() -> stays.instances().contains("later"));
            } finally {
                broker.stopPulses();
            }
        }
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("sluice-work-"))
                .map(thread -> thread.getName() + " " + thread.getId())
                .collect(Collectors.toSet());
    }

    @Test
    void a_closed_feed_is_never_healthy_for_those_that_come_later_and_says_so_once() {
        KafkaWorkFeed feed = KafkaWorkFeed.builder()
                .clientProperties(Map.of("bootstrap.servers", "127.0.0.1:1"))
                .timings(TestBroker.QUICK)
                .build();
        feed.close();
        RecordingListener listener = RecordingListener.handling();
        try (Lines lines = Lines.of(KafkaWorkFeed.class)) {
            WorkFeed.Subscription turns = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener);
            WorkFeed.Subscription activities = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", listener);
            activities.request(4);

            assertThat(turns.isHealthy()).isFalse();
            assertThat(activities.isHealthy()).isFalse();
            assertThat(turns.isOwn("a")).isFalse();
            assertThat(lines.count("this feed is closed")).isEqualTo(1);
        }
    }

    @Test
    void closing_ends_all_threads_in_time_also_without_a_broker() {
        KafkaWorkFeed feed = KafkaWorkFeed.builder()
                .clientProperties(Map.of("bootstrap.servers", "127.0.0.1:1"))
                .timings(TestBroker.QUICK)
                .closeTimeout(Duration.ofSeconds(3))
                .build();
        feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", RecordingListener.handling());
        feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "sessions:", RecordingListener.handling());
        long begunNanos = System.nanoTime();

        feed.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(Duration.ofSeconds(10));
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("sluice-work-")));
    }
}
