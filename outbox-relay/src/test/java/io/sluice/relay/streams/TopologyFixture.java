package io.sluice.relay.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.contract.SchemaChecked;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.event.EventEnvelope;
import io.sluice.relay.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The topology with its topics, and how history is told to it. */
abstract class TopologyFixture {
    static final long START = 1_700_000_040_000L;
    /** Headers hold no later time. */
    private static final long LATEST_AFTER_MILLIS = Duration.ofDays(10).toMillis();

    /** A relay publishes after all that these tests tell of. */
    private static final long LATE_ENOUGH = START + LATEST_AFTER_MILLIS;

    static final Duration STUCK_AFTER = Duration.ofHours(1);
    static final Duration RETENTION = Duration.ofDays(30);
    static final Topics TOPICS = new Topics("orders");

    @TempDir
    Path state;

    final LongAdder found = new LongAdder();
    final LongAdder removed = new LongAdder();
    final LongAdder jumped = new LongAdder();
    final HistoryJumps jumps = new HistoryJumps(TOPICS.history());
    TopologyTestDriver driver;
    TestInputTopic<String, byte[]> history;
    TestOutputTopic<String, byte[]> lifecycle;
    TestOutputTopic<String, byte[]> status;
    TestOutputTopic<String, byte[]> statistics;
    TestOutputTopic<String, byte[]> stuck;

    @BeforeEach
    void start() {
        start(RETENTION);
    }

    /** With nothing known yet. */
    void restart(Duration retention) {
        stop();
        start(retention);
    }

    private void start(Duration retention) {
        var settings =
                new LifecycleTopology.Settings(TOPICS, Duration.ofMinutes(1), STUCK_AFTER, retention, ValueFormat.JSON);
        var notices = new LifecycleStreams.Notices(found::increment, removed::increment, jumped::increment);
        var properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        driver = new TopologyTestDriver(
                LifecycleTopology.topology(settings, jumps, notices), properties, Instant.ofEpochMilli(START));
        history = driver.createInputTopic(TOPICS.history(), new StringSerializer(), new ByteArraySerializer());
        lifecycle = output(TopicCatalogue.LIFECYCLE);
        status = output(TopicCatalogue.STATUS);
        statistics = output(TopicCatalogue.STATISTICS);
        stuck = output(TopicCatalogue.STUCK);
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    TestOutputTopic<String, byte[]> output(TopicContract contract) {
        return driver.createOutputTopic(
                contract.name(TOPICS.prefix()), new StringDeserializer(), new SchemaChecked(contract));
    }

    List<Fact> facts() {
        return lifecycle.readValuesToList().stream()
                .map(value -> LifecycleJson.event(value).fact())
                .toList();
    }

    InstanceStatus lastStatus(String instance) {
        return LifecycleJson.decode(requireNonNull(status.readKeyValuesToMap().get(instance)), InstanceStatus.class);
    }

    static EventKind started(String name, @Nullable String parent) {
        return new EventKind.OrchestrationStarted(
                name, "1.0.0", "{}", parent, parent == null ? null : 4L, parent == null ? null : 3L, null, null);
    }

    static ErrorDetails failure(String message) {
        return new ErrorDetails.Application(ErrorDetails.ApplicationKind.Plain.ORCHESTRATION_FAILED, message, false);
    }

    void event(String instance, long execution, long event, long afterMillis, EventKind kind) {
        pipe(HistoryEvent.of(event, instance, execution, START + afterMillis, "0.1.32", kind));
    }

    void event(String instance, long execution, long event, long afterMillis, EventKind kind, long source) {
        pipe(HistoryEvent.of(event, instance, execution, START + afterMillis, "0.1.32", kind)
                .withSourceEventId(source));
    }

    void pipe(HistoryEvent event) {
        history.pipeInput(published(event, LATE_ENOUGH));
    }

    /** As the relay wrote it at a time. */
    static TestRecord<String, byte[]> published(HistoryEvent event, long recordMillis) {
        var id = event.instanceId() + ":" + event.executionId() + ":" + event.eventId() + ":" + event.timestampMillis();
        long afterMillis = Math.min(event.timestampMillis(), START + LATEST_AFTER_MILLIS) - START;
        var headers = headers(id, "io.sluice.history." + event.type(), afterMillis);
        return new TestRecord<>(event.instanceId(), HistoryJson.encode(event).getBytes(UTF_8), headers, recordMillis);
    }

    void deleted(String instance, long afterMillis) {
        history.pipeInput(new TestRecord<>(
                instance,
                null,
                headers(instance + ":deleted", EventEnvelope.INSTANCE_DELETED, afterMillis),
                LATE_ENOUGH));
    }

    static RecordHeaders headers(String id, String type, long afterMillis) {
        var headers = new RecordHeaders();
        Map.of(
                        "ce_source",
                        "cosmos://account/db/container",
                        "ce_id",
                        id,
                        "ce_type",
                        type,
                        "ce_time",
                        Instant.ofEpochMilli(START + afterMillis).toString())
                .forEach((name, value) -> headers.add(name, value.getBytes(UTF_8)));
        return headers;
    }
}
