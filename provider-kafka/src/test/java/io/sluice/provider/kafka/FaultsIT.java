package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.KafkaTopics;
import io.sluice.testkit.SecuredKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Everything falls back, says so once, and comes back by itself. */
@Isolated("other tests' lines of the same logger would be counted")
class FaultsIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void silence_and_lag_of_relays_are_noticed_and_forgotten() {
        try (TestBroker broker = TestBroker.shared()) {
            broker.newTopics(1);
            RecordingListener listener = RecordingListener.handling();
            // Pulses of a busy machine may come late, and must not count as silence.
            try (KafkaWorkFeed feed =
                    broker.feed().pulseTimeout(Duration.ofSeconds(4)).build()) {
                WorkFeed.Subscription subscription = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener);
                await().during(Duration.ofMillis(500)).until(() -> !subscription.isHealthy());

                broker.startPulses();
                await().until(subscription::isHealthy);
                broker.stopPulses();
                await().until(() -> !subscription.isHealthy());
                broker.startPulses();
                await().until(subscription::isHealthy);
                broker.lag(5_001);
                await().until(() -> !subscription.isHealthy());
                broker.lag(5_000);
                await().until(subscription::isHealthy);

                assertThat(listener.healthChanges()).isEqualTo(5);
            }
        }
    }

    @Test
    void topics_that_are_missing_are_waited_for_and_not_created() {
        try (TestBroker broker = TestBroker.on(
                EmbeddedKafka.start(with(TestBroker.QUICK_GROUPS, "auto.create.topics.enable", "true")))) {
            broker.newPrefix();
            RecordingListener listener = RecordingListener.handling();
            try (KafkaWorkFeed feed = broker.feed().build();
                    Lines lines = Lines.of(TopicWatch.class)) {
                WorkFeed.Subscription turns = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener);
                WorkFeed.Subscription activities = feed.subscribe(
                        TestBroker.STORE, WorkQueue.ACTIVITIES, "sessions:", RecordingListener.handling());
                await().until(() -> lines.count("missing", turnTopic(broker)) == 1);
                await().during(Duration.ofSeconds(1)).until(() -> !turns.isHealthy() && !activities.isHealthy());
                assertThat(TestBroker.await(broker.admin().listTopics().names()))
                        .noneMatch(broker.topics().all()::contains);

                broker.createTopics(1);
                broker.startPulses();
                await().until(() -> turns.isHealthy() && activities.isHealthy());
                broker.announceTurns("a");

                await().until(() -> listener.instances().equals(List.of("a")));
                assertThat(lines.count("missing", turnTopic(broker))).isEqualTo(1);
                assertThat(lines.count("exist now", turnTopic(broker))).isEqualTo(1);
            }
        }
    }

    /** No activity is answered before, so that the place of the new group in the topic is only what it began with. */
    @Test
    void kafka_stops_and_starts_again(@TempDir Path folder) {
        EmbeddedKafka first = EmbeddedKafka.start(folder, 0, TestBroker.QUICK_GROUPS);
        TestBroker before = TestBroker.on(first);
        before.newTopics(1).startPulses();
        RecordingListener turns = RecordingListener.handling();
        RecordingListener activities = RecordingListener.silent();
        try (KafkaWorkFeed feed = before.feed().build()) {
            WorkFeed.Subscription turnFeed = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", turns);
            WorkFeed.Subscription activityFeed = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", activities);
            activityFeed.request(100);
            await().atMost(LONG).until(() -> turnFeed.isHealthy() && activityFeed.isHealthy());
            before.announceTurns("a");
            before.announceActivities("a");
            await().atMost(LONG)
                    .until(() -> !turns.instances().isEmpty()
                            && !activities.instances().isEmpty());

            first.close();
            await().until(() -> !turnFeed.isHealthy() && !activityFeed.isHealthy());
            try (EmbeddedKafka second = EmbeddedKafka.start(folder, first.port(), TestBroker.QUICK_GROUPS)) {
                assertThat(second.port()).isEqualTo(first.port());
                await().atMost(LONG).until(() -> turnFeed.isHealthy() && activityFeed.isHealthy());
                before.announceTurns("b");
                before.announceActivities("b");

                await().atMost(LONG)
                        .until(() -> turns.instances().contains("b")
                                && activities.instances().contains("b"));
            } finally {
                before.stopPulses();
            }
        } finally {
            before.close();
        }
    }

    @Test
    void a_refused_client_says_what_to_do_and_comes_in_when_it_is_allowed(@TempDir Path folder) {
        try (SecuredKafka kafka = SecuredKafka.start(folder)) {
            Map<String, Object> properties = Map.copyOf(kafka.login("runtime", "secret"));
            try (KafkaWorkFeed feed = KafkaWorkFeed.builder()
                            .clientProperties(properties)
                            .timings(TestBroker.QUICK)
                            .build();
                    Lines failures = Lines.of(FailureLog.class);
                    Lines topics = Lines.of(TopicWatch.class)) {
                RecordingListener turns = RecordingListener.handling();
                RecordingListener activities = RecordingListener.handling();
                WorkFeed.Subscription subscription = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", turns);
                feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", activities);
                await().atMost(LONG).until(() -> failures.count("check the security settings") == 1);
                assertThat(subscription.isHealthy()).isFalse();

                kafka.addUser("runtime", "secret");
                await().atMost(LONG).until(() -> topics.count("missing") == 1 || failures.count("allow its user") > 0);

                KafkaTopics.create(kafka.admin(), TestBroker.newTopics(new FeedTopics("sluice"), 1));
                allowWhatTheDocumentationAsksFor(kafka);
                await().atMost(LONG).until(() -> turns.timesLost() > 0 && activities.timesLost() > 0);
            }
        }
    }

    @Test
    void brokers_that_allow_no_session_so_short_are_named_with_their_setting() {
        try (TestBroker broker = TestBroker.on(
                EmbeddedKafka.start(with(TestBroker.QUICK_GROUPS, "group.min.session.timeout.ms", "10000")))) {
            broker.newTopics(1).startPulses();
            try (KafkaWorkFeed feed = broker.feed().build();
                    Lines failures = Lines.of(FailureLog.class)) {
                WorkFeed.Subscription turns =
                        feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", RecordingListener.handling());

                await().atMost(LONG)
                        .until(() -> failures.count("group.min.session.timeout.ms", turnTopic(broker)) == 1);
                assertThat(turns.isHealthy()).isFalse();
            }
        }
    }

    private static void allowWhatTheDocumentationAsksFor(SecuredKafka kafka) {
        List<AclOperation> operations = List.of(AclOperation.READ, AclOperation.DESCRIBE);
        kafka.allow(
                "runtime", new ResourcePattern(ResourceType.TOPIC, "sluice.work.", PatternType.PREFIXED), operations);
        kafka.allow(
                "runtime", new ResourcePattern(ResourceType.GROUP, "sluice-work-", PatternType.PREFIXED), operations);
    }

    private static String turnTopic(TestBroker broker) {
        return broker.topics().of(WorkQueue.TURNS);
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value) {
        Map<String, String> all = new HashMap<>(settings);
        all.put(name, value);
        return all;
    }
}
