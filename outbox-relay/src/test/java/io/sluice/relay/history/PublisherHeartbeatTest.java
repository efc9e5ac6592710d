package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.control.Heartbeats;
import io.sluice.relay.control.Pauses;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a publisher shows of itself while nobody answers. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PublisherHeartbeatTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** A publisher that turns does so every few milliseconds here. */
    private static final Duration LONG_SILENCE = Duration.ofSeconds(2);

    private static final String WORKER = PipelineControl.worker(Pipeline.EVENTS, TestRanges.WHOLE.name());

    private final Heartbeats heartbeats = new Heartbeats();
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger tries = new AtomicInteger();
    private final KafkaAccess nowhere = new KafkaAccess("127.0.0.1:1", Map.of());
    private final Admin admin = nowhere.admin();
    private Thread thread = new Thread();

    @AfterEach
    void end() throws InterruptedException {
        released.countDown();
        thread.interrupt();
        thread.join(PATIENCE.toMillis());
        admin.close(Duration.ZERO);
    }

    private RangePublisher started(RangeTakeover.Producers producers, RangeOwnership ownership) {
        var topics = new Topics("orders");
        var publisher = new TestPublishers(
                        TestRanges.range(0, 1, "rid"),
                        topics,
                        new PositionLog(nowhere, admin, topics, PATIENCE),
                        TestPublishers.FAST)
                .publisher(
                        new ListFeed(),
                        producers,
                        ownership,
                        new PipelineControl(Pipeline.EVENTS, new Pauses(), heartbeats));
        thread = new Thread(publisher, "publisher");
        thread.setDaemon(true);
        thread.start();
        return publisher;
    }

    private void assertTurning(RangePublisher publisher) {
        await().atMost(PATIENCE).until(() -> tries.get() > 3);
        await().during(LONG_SILENCE)
                .atMost(PATIENCE)
                .until(() -> heartbeats.silence(WORKER).compareTo(LONG_SILENCE.dividedBy(2)) < 0);
        assertThat(publisher.status().state()).isIn(RangeState.TAKING_OVER, RangeState.RECOVERING);
    }

    @Test
    void one_that_takes_over_in_vain_turns() {
        assertTurning(started(
                range -> {
                    tries.incrementAndGet();
                    throw new TimeoutException("Kafka is away");
                },
                range -> RangeOwnership.Owner.US));
    }

    @Test
    void one_that_nobody_tells_whether_its_range_is_still_its_own_turns() {
        assertTurning(started(
                range -> {
                    throw new TimeoutException("Kafka is away");
                },
                range -> {
                    tries.incrementAndGet();
                    return RangeOwnership.Owner.UNKNOWN;
                }));
    }

    @Test
    void one_that_takes_over_again_says_what_failed_before() {
        var publisher = started(
                range -> {
                    if (tries.incrementAndGet() > 1) {
                        awaitReleased();
                    }
                    throw new TimeoutException("the store is away");
                },
                range -> RangeOwnership.Owner.US);

        await().atMost(PATIENCE).until(() -> tries.get() == 2);

        assertThat(publisher.status().state()).isEqualTo(RangeState.TAKING_OVER);
        assertThat(publisher.status().problem()).contains("the store is away");
    }

    private void awaitReleased() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void one_that_hangs_is_silent() throws InterruptedException {
        var hangs = new CountDownLatch(1);
        started(
                range -> {
                    hangs.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    throw new TimeoutException("told to end");
                },
                range -> RangeOwnership.Owner.US);
        assertThat(hangs.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        await().atMost(PATIENCE).until(() -> heartbeats.silence(WORKER).compareTo(LONG_SILENCE) > 0);
    }
}
