package io.sluice.relay.streams;

import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** What the streams make of a history, by the relay's own topology. */
public final class StreamsExamples {
    private static final Topics TOPICS = new Topics("sluice");
    private static final Duration STUCK_AFTER = Duration.ofHours(1);

    private StreamsExamples() {}

    /**
     * Everything that is told of these records, and of the silence after them; then of the others.
     *
     * @param state an empty folder
     * @param form of the values
     */
    public static Map<TopicContract, List<ProducerRecord<byte[], byte[]>>> of(
            Path state,
            ValueFormat form,
            List<ProducerRecord<byte[], byte[]>> history,
            List<ProducerRecord<byte[], byte[]>> afterSilence) {
        var settings = new LifecycleTopology.Settings(TOPICS, Duration.ofMinutes(1), STUCK_AFTER, Duration.ZERO, form);
        var properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "examples");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        var told = new LinkedHashMap<TopicContract, List<ProducerRecord<byte[], byte[]>>>();
        var topology = LifecycleTopology.topology(
                settings,
                new HistoryJumps(TOPICS.history()),
                new LifecycleStreams.Notices(() -> {}, () -> {}, () -> {}));
        try (var driver = new TopologyTestDriver(topology, properties, Instant.parse("2026-01-01T00:00:00Z"))) {
            pipe(driver, history);
            driver.advanceWallClockTime(STUCK_AFTER.multipliedBy(2));
            pipe(driver, afterSilence);
            TopicCatalogue.STREAMS.forEach(contract -> told.put(contract, read(driver, contract)));
        }
        return told;
    }

    private static void pipe(TopologyTestDriver driver, List<ProducerRecord<byte[], byte[]>> records) {
        var topic = driver.createInputTopic(TOPICS.history(), new ByteArraySerializer(), new ByteArraySerializer());
        records.forEach(each -> topic.pipeInput(new TestRecord<>(each.key(), each.value(), each.headers())));
    }

    private static List<ProducerRecord<byte[], byte[]>> read(TopologyTestDriver driver, TopicContract contract) {
        var name = contract.name(TOPICS.prefix());
        var topic = driver.createOutputTopic(name, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        var told = new ArrayList<ProducerRecord<byte[], byte[]>>();
        topic.readRecordsToList()
                .forEach(each ->
                        told.add(new ProducerRecord<>(name, null, each.key(), each.getValue(), each.headers())));
        return told;
    }
}
