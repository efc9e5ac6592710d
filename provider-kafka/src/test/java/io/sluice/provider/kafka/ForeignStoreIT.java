package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.GroupState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process that was given the prefix of another store's topics. */
class ForeignStoreIT extends BrokerTest {
    private static final WorkStore OTHER = new WorkStore("account", "sluice", "staging", "rid-2");
    private static final String[] WORK =
            IntStream.range(0, 40).mapToObj(i -> "i-" + i).toArray(String[]::new);

    @AfterEach
    void announceOwnStore() {
        broker.announce(TestBroker.STORE);
    }

    @Test
    void it_takes_no_work_from_the_processes_of_that_store() {
        broker.stopPulses();
        broker.newTopics(2);
        RecordingListener turns = RecordingListener.handling();
        RecordingListener activities = RecordingListener.handling();
        RecordingListener foreign = RecordingListener.handling();
        try (KafkaWorkFeed right = broker.feed().build();
                KafkaWorkFeed wrong = broker.feed().build()) {
            subscribe(wrong, OTHER, WorkQueue.TURNS, foreign);
            subscribe(wrong, OTHER, WorkQueue.ACTIVITIES, foreign).request(100);
            await("its readers have their places").until(() -> foreign.timesLost() >= 2);
            WorkFeed.Subscription turnFeed = subscribe(right, TestBroker.STORE, WorkQueue.TURNS, turns);
            WorkFeed.Subscription activityFeed = subscribe(right, TestBroker.STORE, WorkQueue.ACTIVITIES, activities);
            activityFeed.request(100);
            broker.startPulses();
            await().until(() -> turnFeed.isHealthy() && activityFeed.isHealthy());

            broker.announceTurns(WORK);
            broker.announceActivities(WORK);

            await().untilAsserted(() -> {
                assertThat(turns.instances()).containsExactlyInAnyOrder(WORK);
                assertThat(activities.instances()).containsExactlyInAnyOrder(WORK);
            });
        }
    }

    @Test
    void requests_for_help_reach_the_processes_of_their_own_store() {
        RecordingListener free = RecordingListener.handling();
        RecordingListener foreign = RecordingListener.handling();
        broker.stopPulses();
        try (KafkaWorkFeed right = broker.feed().build();
                KafkaWorkFeed wrong = broker.feed().build()) {
            WorkFeed.Subscription turns = subscribe(right, TestBroker.STORE, WorkQueue.TURNS, free);
            subscribe(wrong, OTHER, WorkQueue.TURNS, foreign).request(100);
            helpGroupHasBegun(TestBroker.STORE);
            helpGroupHasBegun(OTHER);
            for (String instance : WORK) {
                turns.askForHelp(Announcement.check(instance));
            }
            await().until(() -> foreign.helpAsked().size() == WORK.length);

            turns.request(100);

            await().untilAsserted(() -> assertThat(free.helpAsked()).containsExactlyInAnyOrder(WORK));
        }
    }

    @Test
    void it_reads_nothing_while_all_it_hears_of_is_that_store_and_everything_when_its_own_is_announced() {
        broker.stopPulses();
        RecordingListener foreign = RecordingListener.handling();
        try (KafkaWorkFeed wrong = broker.feed().build()) {
            WorkFeed.Subscription turns = subscribe(wrong, OTHER, WorkQueue.TURNS, foreign);
            await("it has its place").until(() -> foreign.timesLost() == 1);

            broker.startPulses();
            await("it leaves its group").until(() -> state() == GroupState.EMPTY);
            broker.announceTurns(WORK);
            await().during(Duration.ofMillis(500))
                    .until(() -> foreign.instances().isEmpty() && !turns.isHealthy());

            broker.announce(OTHER);
            await().until(turns::isHealthy);
            await().untilAsserted(() -> assertThat(foreign.instances()).containsExactly(WORK));
        }
    }

    private static WorkFeed.Subscription subscribe(
            KafkaWorkFeed feed, WorkStore store, WorkQueue queue, RecordingListener listener) {
        WorkFeed.Subscription subscription = feed.subscribe(store, queue, "", listener);
        subscription.fetchBegan();
        return subscription;
    }

    /** It hears of what comes from then on. */
    private void helpGroupHasBegun(WorkStore store) {
        String group = broker.topics().helpGroup(store, "");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> broker.startOf(group, broker.topics().help()) >= 0);
    }

    private GroupState state() {
        String group = broker.topics().group(WorkQueue.TURNS, OTHER, "");
        return TestBroker.await(
                        broker.admin().describeConsumerGroups(List.of(group)).all())
                .values()
                .iterator()
                .next()
                .groupState();
    }
}
