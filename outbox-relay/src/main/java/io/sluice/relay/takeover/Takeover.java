package io.sluice.relay.takeover;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.program.FailureReason;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells the other replicas twice a second whose intents this one looks for, and hears which of them have died: until
 * another replica has their ranges, this one sweeps its share of them. Kafka's group needs seven to ten seconds to
 * give them to another; so long new intents would wait.
 */
public final class Takeover implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);
    private static final Duration INTERVAL = Duration.ofMillis(Replicas.INTERVAL_MILLIS);
    private static final Duration POLL = Duration.ofMillis(100);
    /** For a pulse: the next one says more. */
    private static final Duration SEND_LIMIT = Duration.ofSeconds(1);

    /** For its last pulse. */
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(1);

    private static final Duration POSITION_LIMIT = Duration.ofSeconds(2);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final KafkaAccess kafka;
    private final TopicPartition topic;
    /** Another one after each start: an earlier life of a replica of this name does not live on in this one. */
    private final String replica;

    private final Supplier<Set<KeyRange>> own;
    private final Runnable changed;
    private final Replicas replicas;
    private final Loop loop;

    private @Nullable Producer<byte[], byte[]> producer;
    private @Nullable Consumer<byte[], byte[]> consumer;
    private long pulsedNanos = System.nanoTime() - INTERVAL.toNanos();
    private volatile Set<KeyRange> orphans = Set.of();
    private volatile boolean isRefused;

    /**
     * Says and hears nothing yet.
     *
     * @param topic of the replicas' pulses
     * @param replica this one's name
     * @param own the ranges that this replica looks after
     * @param changed runs when there are other orphans
     */
    public Takeover(KafkaAccess kafka, String topic, String replica, Supplier<Set<KeyRange>> own, Runnable changed) {
        this.kafka = kafka;
        this.topic = new TopicPartition(topic, 0);
        this.replica = replica + "/" + UUID.randomUUID();
        this.own = own;
        this.changed = changed;
        this.replicas = new Replicas(this.replica);
        this.loop = new Loop("sluice-takeover", this::step, CLOSE_LIMIT);
    }

    /** Begins to pulse. */
    public void start() {
        loop.start();
    }

    /** The ranges of replicas that have died, which this one is to sweep. Any thread may ask. */
    public Set<KeyRange> orphans() {
        return orphans;
    }

    private Duration step() {
        try {
            // Who can't hear of others says nothing either: it could not sweep for them.
            var pulses = listening();
            if (System.nanoTime() - pulsedNanos >= INTERVAL.toNanos()) {
                pulsedNanos = System.nanoTime();
                pulse();
            }
            pulses.poll(POLL).forEach(this::hear);
            sweep(replicas.orphans(own.get()));
        } catch (KafkaException e) {
            // The clients may not survive what they failed with.
            giveUpClients();
            sweep(Set.of());
            throw e;
        }
        return Duration.ZERO;
    }

    private void sweep(Set<KeyRange> now) {
        if (!now.equals(orphans)) {
            report(now);
            orphans = now;
            changed.run();
        }
    }

    private void pulse() {
        // A result that is not awaited: what Kafka does not take, nobody hears, this replica included.
        var unused = producer().send(record(own.get()), (metadata, failure) -> taken(failure));
    }

    private void taken(@Nullable Exception failure) {
        if (failure != null) {
            LOG.atLevel(isRefused ? Level.DEBUG : Level.WARN)
                    .addKeyValue(LogKeys.TOPIC, topic.topic())
                    .addKeyValue(LogKeys.REASON, FailureReason.of(failure))
                    .log("Kafka takes no pulses of this replica, others may sweep its ranges until it does");
        }
        isRefused = failure != null;
    }

    private ProducerRecord<byte[], byte[]> record(Collection<KeyRange> ranges) {
        return pulse(topic.topic(), replica, ranges);
    }

    /** A record that says that a replica lives. */
    static ProducerRecord<byte[], byte[]> pulse(String topic, String replica, Collection<KeyRange> ranges) {
        return new ProducerRecord<>(
                topic, 0, replica.getBytes(UTF_8), Presence.of(ranges).toJson());
    }

    private void hear(ConsumerRecord<byte[], byte[]> pulse) {
        var presence = Presence.fromJson(pulse.value());
        if (presence.isEmpty() || pulse.key() == null) {
            LOG.atDebug().addKeyValue(LogKeys.OFFSET, pulse.offset()).log("no pulse of a relay, skipped");
            return;
        }
        replicas.hear(new String(pulse.key(), UTF_8), presence.get().keyRanges(), pulse.timestamp());
    }

    private void report(Set<KeyRange> now) {
        LOG.atInfo()
                .addKeyValue(
                        LogKeys.RANGE,
                        now.stream().sorted(KeyRange.ORDER).map(KeyRange::name).toList())
                .log(
                        now.isEmpty()
                                ? "this replica sweeps no ranges of others any more"
                                : "replicas are silent, this one looks for the intents of their ranges until others have taken them");
    }

    private Producer<byte[], byte[]> producer() {
        var known = producer;
        if (known == null) {
            known = kafka.bounded(SEND_LIMIT, topic.topic());
            producer = known;
        }
        return known;
    }

    /** From the end of the topic as it was before this replica's first pulse: what others said earlier is old. */
    private Consumer<byte[], byte[]> listening() {
        var known = consumer;
        if (known == null) {
            known = kafka.listener();
            consumer = known;
            known.assign(List.of(topic));
            known.seekToEnd(List.of(topic));
            known.position(topic, POSITION_LIMIT);
        }
        return known;
    }

    private void giveUpClients() {
        var speaking = producer;
        producer = null;
        var listening = consumer;
        consumer = null;
        if (speaking != null) {
            speaking.close(Duration.ZERO);
        }
        if (listening != null) {
            listening.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    /** Says good-bye, so that no other replica takes this one for dead. */
    @Override
    public void close() {
        loop.close();
        var speaking = producer;
        try {
            if (speaking != null) {
                leave(speaking);
            }
        } finally {
            giveUpClients();
        }
    }

    private void leave(Producer<byte[], byte[]> speaking) {
        try {
            speaking.send(record(Set.of())).get(LEAVE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.atDebug()
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("the other replicas could not be told that this one leaves");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
