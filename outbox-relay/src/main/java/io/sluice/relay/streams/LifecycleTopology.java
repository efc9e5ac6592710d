package io.sluice.relay.streams;

import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.relay.event.EventEnvelope;
import io.sluice.relay.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.jspecify.annotations.Nullable;

/**
 * The topology: {@code <prefix>.history} → {@code .lifecycle}, {@code .status}, {@code .statistics}, {@code .stuck}.
 *
 * <p>All records of an instance are in one partition, in the order of its history. Only statistics are repartitioned,
 * by orchestration. Records have the time of their event, not of its arrival, but never a later one than its record in
 * the history.
 */
final class LifecycleTopology {
    static final String INSTANCES = "instances";
    static final String SILENCE = "silence";
    static final String STATISTICS = "statistics";
    static final String BY_ORCHESTRATION = "by-orchestration";
    static final String TYPE_PREFIX = "io.sluice.lifecycle.";

    /** After an outage of a day, events still count in their window. */
    private static final Duration GRACE = Duration.ofDays(1);

    /**
     * @param window of the statistics
     * @param stuckAfter how long an instance may be silent
     * @param retention how long an ended instance is kept; zero for ever
     * @param form in which values are written
     */
    record Settings(Topics topics, Duration window, Duration stuckAfter, Duration retention, ValueFormat form) {}

    private final Settings settings;
    private final HistoryJumps jumps;
    private final LifecycleStreams.Notices notices;

    private LifecycleTopology(Settings settings, HistoryJumps jumps, LifecycleStreams.Notices notices) {
        this.settings = settings;
        this.jumps = jumps;
        this.notices = notices;
    }

    /** @param jumps of the consumers of the history */
    static Topology topology(Settings settings, HistoryJumps jumps, LifecycleStreams.Notices notices) {
        return new LifecycleTopology(settings, jumps, notices).build();
    }

    private Topology build() {
        var builder = new StreamsBuilder();
        builder.addStateStore(Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(INSTANCES), Serdes.String(), JsonSerde.of(InstanceState.class)));
        builder.addStateStore(Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(SILENCE), Serdes.Bytes(), Serdes.ByteArray()));
        var updates = builder.stream(
                        settings.topics().history(),
                        Consumed.with(Serdes.String(), Serdes.ByteArray())
                                .withOffsetResetPolicy(AutoOffsetReset.earliest())
                                .withTimestampExtractor((message, partitionTime) ->
                                        HistoryRecord.countedMillis(message.headers(), message.timestamp())))
                .process(() -> new InstanceProcessor(settings, jumps, notices), INSTANCES, SILENCE);
        var events = only(updates, InstanceUpdate.Event.class, Function.identity());
        events.process(() -> new AsCloudEvent(settings.form(), settings.topics().lifecycle()))
                .to(settings.topics().lifecycle(), Produced.with(Serdes.String(), Serdes.ByteArray()));
        only(updates, InstanceUpdate.Status.class, InstanceUpdate.Status::status)
                .process(() -> new Encoding<>(settings.form(), settings.topics().status()))
                .to(settings.topics().status(), Produced.with(Serdes.String(), Serdes.ByteArray()));
        only(updates, InstanceUpdate.Stuck.class, InstanceUpdate.Stuck::stuck)
                .peek((instance, stuck) -> {
                    if (stuck != null) {
                        notices.stuck().run();
                    }
                })
                .process(() -> new Encoding<>(settings.form(), settings.topics().stuck()))
                .to(settings.topics().stuck(), Produced.with(Serdes.String(), Serdes.ByteArray()));
        count(events.mapValues(InstanceUpdate.Event::event));
        return builder.build();
    }

    private static <T extends InstanceUpdate, V> KStream<String, V> only(
            KStream<String, InstanceUpdate> updates, Class<T> type, Function<T, V> value) {
        return updates.filter((instance, each) -> type.isInstance(each))
                .mapValues(each -> value.apply(type.cast(each)));
    }

    private void count(KStream<String, LifecycleEvent> events) {
        events.filter((instance, event) -> event.orchestration() != null && StatisticsAggregate.counts(event.fact()))
                .groupBy(
                        (instance, event) ->
                                Optional.ofNullable(event.orchestration()).orElseThrow(),
                        Grouped.<String, LifecycleEvent>as(BY_ORCHESTRATION)
                                .withKeySerde(Serdes.String())
                                .withValueSerde(JsonSerde.of(LifecycleEvent.class)))
                .windowedBy(TimeWindows.ofSizeAndGrace(settings.window(), GRACE))
                .aggregate(
                        () -> StatisticsAggregate.NOTHING,
                        (orchestration, event, tally) -> tally.plus(event),
                        Materialized.<String, StatisticsAggregate, WindowStore<Bytes, byte[]>>as(STATISTICS)
                                .withKeySerde(Serdes.String())
                                .withValueSerde(JsonSerde.of(StatisticsAggregate.class)))
                .toStream()
                .map(LifecycleTopology::statistics)
                .process(() -> new Encoding<>(settings.form(), settings.topics().statistics()))
                .to(settings.topics().statistics(), Produced.with(Serdes.String(), Serdes.ByteArray()));
    }

    /** The key names the window too: a compacted topic keeps the latest statistics of each window. */
    private static KeyValue<String, OrchestrationStatistics> statistics(
            Windowed<String> window, StatisticsAggregate tally) {
        var start = window.window().startTime();
        return KeyValue.pair(
                window.key() + "@" + start,
                tally.of(window.key(), start, window.window().endTime()));
    }

    /** Encodes values in the configured format; null stays null. */
    private static final class Encoding<V extends @Nullable Object>
            extends ContextualProcessor<String, V, String, byte @Nullable []> {
        private final ValueFormat form;
        private final String topic;

        private Encoding(ValueFormat form, String topic) {
            this.form = form;
            this.topic = topic;
        }

        @Override
        public void process(Record<String, V> update) {
            var value = update.value();
            context().forward(update.withValue(value == null ? null : form.encode(topic, update.headers(), value)));
        }
    }

    /** Encodes a lifecycle event as a CloudEvent in binary mode. */
    private static final class AsCloudEvent extends ContextualProcessor<String, InstanceUpdate.Event, String, byte[]> {
        private final ValueFormat form;
        private final String topic;

        private AsCloudEvent(ValueFormat form, String topic) {
            this.form = form;
            this.topic = topic;
        }

        @Override
        public void process(Record<String, InstanceUpdate.Event> update) {
            var headers = headers(update.value());
            byte[] value = form.encode(topic, headers, update.value().event());
            context().forward(new Record<>(update.key(), value, update.timestamp(), headers));
        }

        private Headers headers(InstanceUpdate.Event update) {
            var event = update.event();
            var cloudEvent = CloudEventBuilder.v1()
                    .withId(event.id())
                    .withSource(update.source())
                    .withType(TYPE_PREFIX + event.fact().type())
                    .withSubject(event.instance())
                    .withTime(EventEnvelope.time(event.time().toEpochMilli()))
                    .withDataContentType(form.contentType())
                    .withExtension(EventEnvelope.PARTITION_KEY, event.instance())
                    .build();
            return KafkaMessageFactory.createWriter("", event.instance().getBytes(StandardCharsets.UTF_8))
                    .writeBinary(cloudEvent)
                    .headers();
        }
    }
}
