package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Brokers whose share groups are slow, or that have none. */
@Isolated("other tests' lines of the same logger would be counted")
class ShareGroupsIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int ACTIVITIES = Tier.times(10, 30);

    /** A member that joins fetches from its second heartbeat on. */
    @Test
    void no_worker_waits_for_a_reader_that_joins() {
        Map<String, String> slowly = Map.of(
                "group.share.heartbeat.interval.ms", "8000",
                "group.share.assignment.interval.ms", "1000",
                "group.share.session.timeout.ms", "45000");
        Map<String, String> settings = new HashMap<>(TestBroker.QUICK_GROUPS);
        settings.putAll(slowly);
        try (TestBroker broker = TestBroker.on(EmbeddedKafka.start(settings))) {
            broker.newTopics(1).startPulses();
            RecordingListener listener = RecordingListener.handling();
            try (KafkaWorkFeed feed = broker.feed().activityReaders(4).build()) {
                WorkFeed.Subscription activities = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", listener);
                await().atMost(Duration.ofSeconds(60)).until(activities::isHealthy);

                for (int activity = 1; activity <= ACTIVITIES; activity++) {
                    int count = activity;
                    broker.announceActivities("a-" + activity);
                    activities.request(1);
                    await("before the next heartbeat")
                            .atMost(Duration.ofSeconds(7))
                            .until(() -> listener.instances().size() == count);
                }
            }
        }
    }

    @Test
    void a_broker_without_share_groups_costs_one_line_and_activities_come_when_it_has_them() {
        try (TestBroker broker = TestBroker.on(EmbeddedKafka.start(TestBroker.QUICK_GROUPS))) {
            shareGroups(broker, (short) 0);
            broker.newTopics(1).startPulses();
            RecordingListener listener = RecordingListener.handling();
            // A machine that is slow to start is no problem here.
            KafkaWorkFeedBuilder slow = broker.feed().pulseTimeout(LONG);
            try (KafkaWorkFeed feed = slow.activityReaders(4).build();
                    Lines failures = Lines.of(FailureLog.class);
                    Lines health = Lines.of(FeedSubscription.class)) {
                WorkFeed.Subscription turns =
                        feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", RecordingListener.handling());
                WorkFeed.Subscription activities = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", listener);
                await().until(turns::isHealthy);
                await().until(() -> failures.count("can't distribute") == 1);
                await().during(Duration.ofSeconds(2)).until(() -> !activities.isHealthy());
                assertThat(failures.count("can't distribute")).isEqualTo(1);
                assertThat(health.count("can't be relied on")).isZero();

                shareGroups(broker, (short) 1);
                activities.request(1);
                await().atMost(LONG).until(activities::isHealthy);
                broker.announceActivities("a");

                await().until(() -> listener.instances().equals(List.of("a")));
            }
        }
    }

    private static void shareGroups(TestBroker broker, short level) {
        FeatureUpdate.UpgradeType type =
                level == 0 ? FeatureUpdate.UpgradeType.UNSAFE_DOWNGRADE : FeatureUpdate.UpgradeType.UPGRADE;
        try {
            broker.admin()
                    .updateFeatures(
                            Map.of("share.version", new FeatureUpdate(level, type)), new UpdateFeaturesOptions())
                    .all()
                    .get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
