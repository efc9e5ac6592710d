package io.sluice.relay.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.Shutdown;
import io.sluice.relay.metrics.HealthMeters;
import io.sluice.relay.streams.LifecycleStreams;
import io.sluice.relay.topic.Topics;
import io.sluice.relay.watch.GroupLag;
import io.sluice.relay.watch.GroupOffsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Whether the streams work: their own state, and whether they process waiting events. Threads that hang on a silent
 * broker still have the state running.
 *
 * @param streams of this replica
 * @param lag of the streams of all replicas
 */
public record StreamsHealth(LifecycleStreams streams, GroupLag lag) implements AutoCloseable {
    /** Longer than a takeover, and than any client's wait for a broker. */
    static final Duration MOST_STANDING = Duration.ofSeconds(60);

    /** Measures nothing yet. */
    public static StreamsHealth of(
            LifecycleStreams streams, KafkaAccess kafka, Topics topics, InstantSource clock, Duration drainTimeout) {
        var offsets = new GroupOffsets(kafka, topics.streamsApplication(), topics.history());
        return new StreamsHealth(streams, new GroupLag("sluice-streams-lag", offsets, clock, drainTimeout));
    }

    public void register(MeterRegistry registry) {
        HealthMeters.registerStreams(
                registry,
                streams::isRunning,
                () -> lag.latest().records(),
                () -> lag.latest().standingSeconds());
    }

    public void start() {
        streams.start();
        lag.start();
    }

    /** Why they don't work; empty if they do. */
    public Optional<String> problem() {
        if (!streams.isRunning()) {
            var state = streams.state();
            return Optional.of("streams: " + (state.equals("RUNNING") ? "no partition is assigned yet" : state));
        }
        return problem(lag.latest());
    }

    /** What is unknown is no problem of the streams. */
    public static Optional<String> problem(GroupLag.Measurement measured) {
        var standing = measured.standing();
        return standing != null && standing.compareTo(MOST_STANDING) > 0
                ? Optional.of("streams: events wait, and none of a partition was processed for " + standing.toSeconds()
                        + " s")
                : Optional.empty();
    }

    @Override
    public void close() {
        Shutdown.quietly(lag, streams);
    }
}
