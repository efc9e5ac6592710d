package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Everything falls back, says so once, and comes back by itself. */
class FaultsIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void silence_and_lag_of_relays_are_noticed_and_forgotten() {
        try (TestBroker broker = TestBroker.start()) {
            broker.newTopics(1);
            RecordingListener listener = RecordingListener.handling();
            try (KafkaWorkFeed feed = broker.feed().build()) {
                WorkFeed.Subscription subscription = feed.subscribe(WorkQueue.TURNS, "", listener);
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
        try (TestBroker broker = new TestBroker(
                EmbeddedKafka.start(with(TestBroker.QUICK_GROUPS, "auto.create.topics.enable", "true")))) {
            broker.newPrefix();
            RecordingListener listener = RecordingListener.handling();
            try (KafkaWorkFeed feed = broker.feed().build();
                    Lines lines = Lines.of(TopicWatch.class)) {
                WorkFeed.Subscription turns = feed.subscribe(WorkQueue.TURNS, "", listener);
                WorkFeed.Subscription activities =
                        feed.subscribe(WorkQueue.ACTIVITIES, "sessions:", RecordingListener.handling());
                await().until(() -> lines.count("missing") == 1);
                await().during(Duration.ofSeconds(1)).until(() -> !turns.isHealthy() && !activities.isHealthy());
                assertThat(TestBroker.await(broker.admin().listTopics().names()))
                        .noneMatch(broker.topics().all()::contains);

                broker.createTopics(1);
                broker.startPulses();
                await().until(() -> turns.isHealthy() && activities.isHealthy());
                broker.announceTurns("a");

                await().until(() -> listener.instances().equals(List.of("a")));
                assertThat(lines.count("missing")).isEqualTo(1);
                assertThat(lines.count("exist now")).isEqualTo(1);
            }
        }
    }

    /** A member that joins fetches from its second heartbeat on. */
    @Test
    void no_worker_waits_for_a_reader_that_joins() {
        Map<String, String> slowly = Map.of(
                "group.share.heartbeat.interval.ms", "8000",
                "group.share.assignment.interval.ms", "1000",
                "group.share.session.timeout.ms", "45000");
        Map<String, String> settings = new HashMap<>(TestBroker.QUICK_GROUPS);
        settings.putAll(slowly);
        try (TestBroker broker = new TestBroker(EmbeddedKafka.start(settings))) {
            broker.newTopics(1).startPulses();
            RecordingListener listener = RecordingListener.handling();
            try (KafkaWorkFeed feed = broker.feed().activityReaders(4).build()) {
                WorkFeed.Subscription activities = feed.subscribe(WorkQueue.ACTIVITIES, "", listener);
                await().atMost(Duration.ofSeconds(60)).until(activities::isHealthy);

                for (int activity = 1; activity <= 30; activity++) {
                    int count = activity;
                    broker.announceActivities("a-" + activity);
                    activities.request(1);
                    await().atMost(Duration.ofSeconds(4))
                            .until(() -> listener.instances().size() == count);
                }
            }
        }
    }

    @Test
    void a_broker_without_share_groups_costs_one_line_and_activities_come_when_it_has_them() {
        try (TestBroker broker = TestBroker.start()) {
            shareGroups(broker, (short) 0);
            broker.newTopics(1).startPulses();
            RecordingListener listener = RecordingListener.handling();
            // A machine that is slow to start is no trouble here.
            KafkaWorkFeedBuilder slow = broker.feed().pulseTimeout(LONG);
            try (KafkaWorkFeed feed = slow.activityReaders(4).build();
                    Lines failures = Lines.of(FailureLog.class);
                    Lines health = Lines.of(FeedSubscription.class)) {
                WorkFeed.Subscription turns = feed.subscribe(WorkQueue.TURNS, "", RecordingListener.handling());
                WorkFeed.Subscription activities = feed.subscribe(WorkQueue.ACTIVITIES, "", listener);
                await().until(turns::isHealthy);
                await().until(() -> failures.count("can't distribute") == 1);
                await().during(Duration.ofSeconds(3)).until(() -> !activities.isHealthy());
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

    /** No activity is answered before, so that the place of the new group in the topic is only what it began with. */
    @Test
    void kafka_stops_and_starts_again(@TempDir Path folder) {
        EmbeddedKafka first = EmbeddedKafka.start(folder);
        TestBroker before = new TestBroker(first);
        before.newTopics(1).startPulses();
        RecordingListener turns = RecordingListener.handling();
        RecordingListener activities = RecordingListener.silent();
        try (KafkaWorkFeed feed = before.feed().build()) {
            WorkFeed.Subscription turnFeed = feed.subscribe(WorkQueue.TURNS, "", turns);
            WorkFeed.Subscription activityFeed = feed.subscribe(WorkQueue.ACTIVITIES, "", activities);
            activityFeed.request(100);
            await().atMost(LONG).until(() -> turnFeed.isHealthy() && activityFeed.isHealthy());
            before.announceTurns("a");
            before.announceActivities("a");
            await().atMost(LONG)
                    .until(() -> !turns.instances().isEmpty()
                            && !activities.instances().isEmpty());

            first.close();
            await().until(() -> !turnFeed.isHealthy() && !activityFeed.isHealthy());
            try (EmbeddedKafka second = EmbeddedKafka.start(folder, first.port())) {
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
                WorkFeed.Subscription subscription = feed.subscribe(WorkQueue.TURNS, "", turns);
                feed.subscribe(WorkQueue.ACTIVITIES, "", activities);
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

    private static void allowWhatTheDocumentationAsksFor(SecuredKafka kafka) {
        List<AclOperation> operations = List.of(AclOperation.READ, AclOperation.DESCRIBE);
        kafka.allow(
                "runtime", new ResourcePattern(ResourceType.TOPIC, "sluice.work.", PatternType.PREFIXED), operations);
        kafka.allow(
                "runtime", new ResourcePattern(ResourceType.GROUP, "sluice-work-", PatternType.PREFIXED), operations);
    }

    @Test
    void closing_ends_all_threads_in_time_also_without_a_broker() {
        KafkaWorkFeed feed = KafkaWorkFeed.builder()
                .clientProperties(Map.of("bootstrap.servers", "127.0.0.1:1"))
                .timings(TestBroker.QUICK)
                .closeTimeout(Duration.ofSeconds(3))
                .build();
        feed.subscribe(WorkQueue.TURNS, "", RecordingListener.handling());
        feed.subscribe(WorkQueue.ACTIVITIES, "sessions:", RecordingListener.handling());
        long begunNanos = System.nanoTime();

        feed.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(Duration.ofSeconds(10));
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("sluice-work-")));
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value) {
        Map<String, String> all = new HashMap<>(settings);
        all.put(name, value);
        return all;
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

    /** What a class logs. */
    private static final class Lines implements AutoCloseable {
        private final Logger logger;
        private final Level level;
        private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

        private Lines(Logger logger) {
            this.logger = logger;
            this.level = logger.getLevel();
            lines.list = new CopyOnWriteArrayList<>();
            lines.start();
            logger.setLevel(Level.INFO);
            logger.addAppender(lines);
        }

        static Lines of(Class<?> type) {
            return new Lines((Logger) LoggerFactory.getLogger(type));
        }

        long count(String part) {
            return lines.list.stream()
                    .filter(line -> line.getMessage().contains(part))
                    .count();
        }

        @Override
        public void close() {
            logger.detachAppender(lines);
            logger.setLevel(level);
        }
    }
}
