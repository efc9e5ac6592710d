package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** Requests for help with turns, on a real broker. */
class HelpIT extends BrokerTest {
    @Test
    void one_process_of_each_filter_that_has_a_free_dispatcher_is_asked() {
        RecordingListener free = RecordingListener.handling();
        RecordingListener alsoFree = RecordingListener.handling();
        RecordingListener ofOtherFilter = RecordingListener.handling();
        RecordingListener busy = RecordingListener.silent();
        try (KafkaWorkFeed one = broker.feed().build();
                KafkaWorkFeed two = broker.feed().build();
                KafkaWorkFeed three = broker.feed().build();
                KafkaWorkFeed four = broker.feed().build()) {
            subscribe(one, "", free).request(100);
            subscribe(two, "", alsoFree).request(100);
            subscribe(three, "other", ofOtherFilter).request(100);
            WorkFeed.Subscription asking = subscribe(four, "", busy);
            groupsHaveBegun("", "other");

            asking.askForHelp(Announcement.check("a"));
            asking.askForHelp(Announcement.check("b"));

            await().untilAsserted(() -> {
                assertThat(ofOtherFilter.helpAsked()).containsExactlyInAnyOrder("a", "b");
                assertThat(free.helpAsked().size() + alsoFree.helpAsked().size())
                        .isEqualTo(2);
            });
            assertThat(busy.helpAsked()).isEmpty();
        }
    }

    @Test
    void what_one_process_gives_back_another_one_gets() {
        RecordingListener busy =
                RecordingListener.answering(heard -> heard.receipt().returned());
        RecordingListener free = RecordingListener.handling();
        try (KafkaWorkFeed one = broker.feed().build();
                KafkaWorkFeed two = broker.feed().build()) {
            WorkFeed.Subscription first = subscribe(one, "", busy);
            groupsHaveBegun("");
            first.request(100);
            first.askForHelp(Announcement.check("a"));
            await().until(() -> !busy.helpAsked().isEmpty());
            first.request(0);

            subscribe(two, "", free).request(1);

            await().untilAsserted(() -> assertThat(free.helpAsked()).containsExactly("a"));
        }
    }

    @Test
    void requests_that_are_as_old_as_their_repetition_are_dropped_unread() {
        RecordingListener free = RecordingListener.silent();
        try (KafkaWorkFeed feed = broker.feed().build()) {
            WorkFeed.Subscription subscription = subscribe(feed, "", free);
            groupsHaveBegun("");
            long now = System.currentTimeMillis();
            broker.askForHelp("old", now - 31_000);
            broker.askForHelp("older", now - Duration.ofMinutes(59).toMillis());
            broker.askForHelp("late", now - 10_000);

            subscription.request(1);

            await().until(() -> !free.helpAsked().isEmpty());
            assertThat(free.helpAsked()).containsExactly("late");
        }
    }

    @Test
    void of_old_requests_many_are_dropped_at_once() {
        RecordingListener free = RecordingListener.handling();
        String group = broker.topics().helpGroup(TestBroker.STORE, "");
        try (KafkaWorkFeed feed = broker.feed().build()) {
            WorkFeed.Subscription subscription = subscribe(feed, "", free);
            groupsHaveBegun("");
            await().until(() -> broker.members(group) == 1);
            long old = System.currentTimeMillis() - 31_000;
            IntStream.range(0, 20_000).forEach(i -> broker.askForHelp("old", old));
            broker.askForHelp("late", System.currentTimeMillis());
            broker.flush();

            subscription.request(1);

            await("another member helps").until(() -> broker.members(group) == 2);
            await().until(() -> free.helpAsked().equals(List.of("late")));
            await("it leaves").until(() -> broker.members(group) == 1);
        }
    }

    @Test
    void a_request_that_four_processes_have_no_dispatcher_for_comes_to_a_fifth() {
        try (KafkaWorkFeed first = broker.feed().build()) {
            subscribe(first, "", RecordingListener.handling());
            groupsHaveBegun("");
        }
        broker.askForHelp("a", System.currentTimeMillis());
        FeedTopics topics = broker.topics();
        String group = topics.helpGroup(TestBroker.STORE, "");
        broker.release(group, topics.help(), 3);
        RecordingListener busy = RecordingListener.handling();
        RecordingListener idle = RecordingListener.handling();
        try (KafkaWorkFeed fourth = broker.feed().build();
                KafkaWorkFeed fifth = broker.feed().build()) {
            subscribe(fourth, "", busy);
            await("the record is copied").until(() -> broker.writtenTo(topics.help()) == 2);

            subscribe(fifth, "", idle).request(1);

            await().until(() -> idle.helpAsked().equals(List.of("a")));
            assertThat(busy.helpAsked()).isEmpty();
        }
    }

    @Test
    void without_the_topic_announcements_can_be_relied_on_and_requests_are_dropped() {
        broker.newPrefix();
        FeedTopics topics = broker.topics();
        List<NewTopic> others = TestBroker.newTopics(topics, 1).stream()
                .filter(topic -> !topic.name().equals(topics.help()))
                .toList();
        KafkaTopics.create(broker.admin(), others);
        try (KafkaWorkFeed feed = broker.feed().build()) {
            WorkFeed.Subscription subscription = subscribe(feed, "", RecordingListener.handling());
            subscription.askForHelp(Announcement.check("a"));

            await().until(subscription::isHealthy);
        }
    }

    private static WorkFeed.Subscription subscribe(KafkaWorkFeed feed, String filter, RecordingListener listener) {
        WorkFeed.Subscription subscription = feed.subscribe(TestBroker.STORE, WorkQueue.TURNS, filter, listener);
        subscription.fetchBegan();
        return subscription;
    }

    /** A new group hears of what comes from then on. */
    private void groupsHaveBegun(String... filters) {
        for (String filter : filters) {
            String group = broker.topics().helpGroup(TestBroker.STORE, filter);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> broker.startOf(group, broker.topics().help()) >= 0);
        }
    }
}
