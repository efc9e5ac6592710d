package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code sluice.work.feed.healthy} shows. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FeedGaugeIT extends BrokerTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private double shown(WorkQueue queue) {
        return meters.get("sluice.work.feed.healthy")
                .tag("queue", queue.name().toLowerCase(Locale.ROOT))
                .tag("prefix", broker.topics().prefix())
                .gauge()
                .value();
    }

    @ParameterizedTest
    @EnumSource
    void one_subscription_that_is_not_healthy_shows_whatever_the_others_of_its_queue_are(WorkQueue queue) {
        try (KafkaWorkFeed feed =
                broker.feed().activityReaders(1).meterRegistry(meters).build()) {
            WorkFeed.Subscription first = feed.subscribe(TestBroker.STORE, queue, "", RecordingListener.handling());
            await().until(first::isHealthy);
            assertThat(shown(queue)).isEqualTo(1);

            WorkFeed.Subscription second =
                    feed.subscribe(TestBroker.STORE, queue, "other", RecordingListener.handling());
            assertThat(shown(queue)).as("the second has no reader yet").isZero();

            await().until(second::isHealthy);
            assertThat(shown(queue)).isEqualTo(1);
        }
        assertThat(meters.find("sluice.work.feed.healthy").gauges())
                .as("a closed feed shows nothing")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void a_subscription_that_nobody_uses_shows_nothing(WorkQueue queue) {
        FeedTimings timings = TestBroker.QUICK.withReadAfterFetch(Duration.ofSeconds(1));
        try (KafkaWorkFeed feed = broker.feed()
                .activityReaders(1)
                .timings(timings)
                .meterRegistry(meters)
                .build()) {
            WorkFeed.Subscription used = feed.subscribe(TestBroker.STORE, queue, "", RecordingListener.handling());
            used.fetchBegan();
            await().until(used::isHealthy);
            broker.stopPulses();
            await().until(() -> shown(queue) == 0);

            used.fetchEnded();

            await().until(() -> shown(queue) == 1);
            assertThat(used.isHealthy()).isFalse();
        }
    }

    @Test
    void feeds_of_several_stores_in_one_registry_are_told_apart() {
        broker.stopPulses(); // a producer waits a minute for a topic that does not exist
        try (KafkaWorkFeed first = broker.feed().meterRegistry(meters).build();
                KafkaWorkFeed second =
                        broker.newPrefix().feed().meterRegistry(meters).build()) {
            first.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", RecordingListener.handling());
            second.subscribe(TestBroker.STORE, WorkQueue.TURNS, "", RecordingListener.handling());

            assertThat(meters.find("sluice.work.feed.healthy").gauges()).hasSize(2);
        }
    }
}
