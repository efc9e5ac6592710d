package io.sluice.relay.history;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.control.Heartbeats;
import io.sluice.relay.control.Pauses;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.history.RangeOwnership.Owner;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a publisher that was paused shows of itself afterwards. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PausedPublisherIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofSeconds(4);
    private static final RangeId ONLY = TestRanges.range(0, 1, "rid");
    private static final Pattern FAILING_FOR = Pattern.compile("has failed for (\\d+) s");

    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    @Test
    void a_failure_after_a_pause_is_as_old_as_the_end_of_the_pause() throws Exception {
        var kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        var topics = new Topics(cluster.prefix());
        try (var admin = kafka.admin()) {
            new Ledger(kafka, topics).makeTopics(admin, 1);
            var positions = new PositionLog(kafka, admin, topics, PATIENCE);
            new PositionSetup(kafka, admin, topics, positions)
                    .ensure(TestRanges.whole("rid"), FirstPosition.AT_FIRST_START);
            var failing = new FaultyProducers(() -> kafka.transactional(topics.historyTransactionalId(ONLY.key())))
                    .failBeforeCommits(Integer.MAX_VALUE);
            var pauses = new Pauses();
            pauses.pause(List.of(Pipeline.EVENTS));
            var feed = new ListFeed();
            feed.write(2);
            var publisher = new TestPublishers(ONLY, topics, positions, TestPublishers.FAST)
                    .publisher(
                            feed,
                            failing,
                            range -> Owner.US,
                            new PipelineControl(Pipeline.EVENTS, pauses, new Heartbeats()));
            var thread = new Thread(publisher, "publisher");
            thread.start();
            try {
                await().atMost(PATIENCE).until(() -> publisher.status().state() == RangeState.PAUSED);
                await().pollDelay(PAUSE).until(() -> publisher.status().state() == RangeState.PAUSED);

                long resumedNanos = System.nanoTime();
                pauses.resume(List.of(Pipeline.EVENTS));
                await().atMost(PATIENCE).until(() -> failingSeconds(publisher) >= 0);

                assertThat(failingSeconds(publisher))
                        .isLessThanOrEqualTo(1
                                + Duration.ofNanos(System.nanoTime() - resumedNanos)
                                        .toSeconds());
            } finally {
                publisher.stop();
                thread.join(PATIENCE.toMillis());
            }
        }
    }

    /** For how long it says that Kafka has failed; below 0 while it does not. */
    private static long failingSeconds(RangePublisher publisher) {
        var problem = FAILING_FOR.matcher(requireNonNullElse(publisher.status().problem(), ""));
        return problem.find() ? Long.parseLong(problem.group(1)) : -1;
    }
}
