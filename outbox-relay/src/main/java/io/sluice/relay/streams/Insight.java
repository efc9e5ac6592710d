package io.sluice.relay.streams;

import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.relay.lifecycle.EventEnvelope;
import io.sluice.relay.ops.Topics;
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
 * <p>Everything about an instance is in one partition and in the order of its history. Only statistics are cut anew, by
 * orchestration. Times are those of the events, not of their arrival, but never later than their record in the history.
 */
final class Insight {
    static final String INSTANCES = "instances";
    static final String SILENCE = "silence";
    static final String STATISTICS = "statistics";
    static final String BY_ORCHESTRATION = "by-orchestration";
    static final String TYPE_PREFIX = "io.sluice.lifecycle.";

    /** Facts of a relay that was away for a day still count in their window. */
    private static final Duration GRACE = Duration.ofDays(1);

    /**
     * @param window of the statistics
     * @param stuckAfter how long an instance may be silent
     * @param retention for how long what is known of an ended instance is kept, zero for ever
     * @param form in which values are written
     */
    record Settings(Topics topics, Duration window, Duration stuckAfter, Duration retention, ValueForm form) {}

    private final Settings settings;
    private final HistoryJumps jumps;
    private final InsightStreams.Notices notices;

    private Insight(Settings settings, HistoryJumps jumps, InsightStreams.Notices notices) {
        this.settings = settings;
        this.jumps = jumps;
        this.notices = notices;
    }

    /** @param jumps of the consumers of the history */
    static Topology topology(Settings settings, HistoryJumps jumps, InsightStreams.Notices notices) {
        return new Insight(settings, jumps, notices).build();
    }

    private Topology build() {
        var builder = new StreamsBuilder();
        builder.addStateStore(Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(INSTANCES), Serdes.String(), JsonSerde.of(Tracked.class)));
        builder.addStateStore(Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(SILENCE), Serdes.Bytes(), Serdes.ByteArray()));
        var told = builder.stream(
                        settings.topics().history(),
                        Consumed.with(Serdes.String(), Serdes.ByteArray())
                                .withOffsetResetPolicy(AutoOffsetReset.earliest())
                                .withTimestampExtractor((message, partitionTime) ->
                                        HistoryRecord.countedMillis(message.headers(), message.timestamp())))
                .process(() -> new InstanceProcessor(settings, jumps, notices), INSTANCES, SILENCE);
        var events = only(told, Told.Event.class, Function.identity());
        events.process(() -> new AsCloudEvent(settings.form(), settings.topics().lifecycle()))
                .to(settings.topics().lifecycle(), Produced.with(Serdes.String(), Serdes.ByteArray()));
        only(told, Told.Status.class, Told.Status::status)
                .process(() -> new Encoding<>(settings.form(), settings.topics().status()))
                .to(settings.topics().status(), Produced.with(Serdes.String(), Serdes.ByteArray()));
        only(told, Told.Stuck.class, Told.Stuck::stuck)
                .peek((instance, stuck) -> {
                    if (stuck != null) {
                        notices.stuck().run();
                    }
                })
                .process(() -> new Encoding<>(settings.form(), settings.topics().stuck()))
                .to(settings.topics().stuck(), Produced.with(Serdes.String(), Serdes.ByteArray()));
        count(events.mapValues(Told.Event::event));
        return builder.build();
    }

    private static <T extends Told, V> KStream<String, V> only(
            KStream<String, Told> told, Class<T> type, Function<T, V> value) {
        return told.filter((instance, each) -> type.isInstance(each)).mapValues(each -> value.apply(type.cast(each)));
    }

    private void count(KStream<String, LifecycleEvent> events) {
        events.filter((instance, event) -> event.orchestration() != null && Tally.counts(event.fact()))
                .groupBy(
                        (instance, event) ->
                                Optional.ofNullable(event.orchestration()).orElseThrow(),
                        Grouped.<String, LifecycleEvent>as(BY_ORCHESTRATION)
                                .withKeySerde(Serdes.String())
                                .withValueSerde(JsonSerde.of(LifecycleEvent.class)))
                .windowedBy(TimeWindows.ofSizeAndGrace(settings.window(), GRACE))
                .aggregate(
                        () -> Tally.NOTHING,
                        (orchestration, event, tally) -> tally.plus(event),
                        Materialized.<String, Tally, WindowStore<Bytes, byte[]>>as(STATISTICS)
                                .withKeySerde(Serdes.String())
                                .withValueSerde(JsonSerde.of(Tally.class)))
                .toStream()
                .map(Insight::statistics)
                .process(() -> new Encoding<>(settings.form(), settings.topics().statistics()))
                .to(settings.topics().statistics(), Produced.with(Serdes.String(), Serdes.ByteArray()));
    }

    /** The key names the window as well: a compacted topic keeps the last word on each. */
    private static KeyValue<String, OrchestrationStatistics> statistics(Windowed<String> window, Tally tally) {
        var start = window.window().startTime();
        return KeyValue.pair(
                window.key() + "@" + start,
                tally.of(window.key(), start, window.window().endTime()));
    }

    /** Values in the form that is wanted; nothing stays nothing. */
    private static final class Encoding<V extends @Nullable Object>
            extends ContextualProcessor<String, V, String, byte @Nullable []> {
        private final ValueForm form;
        private final String topic;

        private Encoding(ValueForm form, String topic) {
            this.form = form;
            this.topic = topic;
        }

        @Override
        public void process(Record<String, V> told) {
            var value = told.value();
            context().forward(told.withValue(value == null ? null : form.encode(topic, told.headers(), value)));
        }
    }

    /** A fact as a CloudEvent in binary mode. */
    private static final class AsCloudEvent extends ContextualProcessor<String, Told.Event, String, byte[]> {
        private final ValueForm form;
        private final String topic;

        private AsCloudEvent(ValueForm form, String topic) {
            this.form = form;
            this.topic = topic;
        }

        @Override
        public void process(Record<String, Told.Event> told) {
            var headers = headers(told.value());
            byte[] value = form.encode(topic, headers, told.value().event());
            context().forward(new Record<>(told.key(), value, told.timestamp(), headers));
        }

        private Headers headers(Told.Event told) {
            var event = told.event();
            var cloudEvent = CloudEventBuilder.v1()
                    .withId(event.id())
                    .withSource(told.source())
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
