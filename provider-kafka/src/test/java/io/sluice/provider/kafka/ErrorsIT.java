package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** An error ends no thread of a feed: announcements would never be read again, and nothing would say so. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated("other tests' lines of the same logger would be counted")
class ErrorsIT extends BrokerTest {
    /** As of a class path that is not whole. */
    private static final class BrokenListener implements WorkFeed.Listener {
        final RecordingListener heard = RecordingListener.handling();
        private final Queue<String> broken = new ArrayDeque<>(List.of("lost", "announced", "healthChanged"));

        private synchronized void breakOnce(String method) {
            if (broken.remove(method)) {
                throw new NoClassDefFoundError(method);
            }
        }

        @Override
        public void announced(Announcement announcement, WorkFeed.Receipt receipt) {
            breakOnce("announced");
            heard.announced(announcement, receipt);
        }

        @Override
        public void lost() {
            breakOnce("lost");
            heard.lost();
        }

        @Override
        public void healthChanged() {
            breakOnce("healthChanged");
            heard.healthChanged();
        }

        synchronized boolean isWhole() {
            return broken.isEmpty();
        }
    }

    @Test
    void a_reader_of_turns_and_the_thread_that_checks_go_on_after_an_error() {
        BrokenListener listener = new BrokenListener();
        try (KafkaWorkFeed feed = broker.feed().build();
                Lines failures = Lines.of(FailureLog.class)) {
            WorkFeed.Subscription turns = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", listener);
            await().until(() -> turns.isHealthy() && listener.heard.timesLost() > 0);
            broker.announceTurns("a");

            await().untilAsserted(() -> assertThat(listener.heard.instances()).containsExactly("a"));
            await().until(turns::isHealthy);
            broker.stopPulses();
            await().until(() -> !turns.isHealthy());
            assertThat(listener.isWhole()).isTrue();
            assertThat(failures.count("not in order", broker.topics().of(WorkQueue.TURNS)))
                    .as("an error of one kind is said once until it is over")
                    .isBetween(1L, 2L);
        }
    }

    @Test
    void a_reader_of_activities_goes_on_after_an_error() {
        BrokenListener listener = new BrokenListener();
        try (KafkaWorkFeed feed = broker.feed().activityReaders(1).build()) {
            WorkFeed.Subscription activities = feed.subscribe(TestBroker.STORE, WorkQueue.ACTIVITIES, "", listener);
            activities.request(10);
            await().until(activities::isHealthy);
            broker.announceActivities("a");

            await().untilAsserted(() -> assertThat(listener.heard.instances()).containsExactly("a"));
            assertThat(listener.isWhole()).isTrue();
            assertThat(listener.heard.timesLost()).isEqualTo(1);
        }
    }

    @Test
    void topics_are_watched_after_an_error() throws InterruptedException {
        FeedConfig config = broker.feed().config();
        AtomicBoolean broken = new AtomicBoolean(true);
        TopicWatch watch = new TopicWatch(config, () -> {
            if (broken.getAndSet(false)) {
                throw new NoClassDefFoundError("admin");
            }
            return Admin.create(FeedClients.adminProperties(config, "test"));
        });
        Thread thread = new Thread(watch, "watch-of-test");
        thread.start();
        try {
            await().until(() -> watch.find(broker.topics().pulse()).isPresent());
        } finally {
            watch.stop();
            thread.join();
        }
    }
}
