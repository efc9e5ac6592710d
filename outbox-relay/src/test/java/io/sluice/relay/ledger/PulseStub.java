package io.sluice.relay.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.announcement.Pulse;
import io.sluice.relay.ledger.audit.Topic;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends the pulses of relays that are all well, for every range, and no announcement. */
final class PulseStub implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Duration HORIZON = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String topic;
    private final Pulse like;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    private PulseStub(String bootstrap, String topic, Pulse like) {
        this.topic = topic;
        this.like = like;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Begins at once, beside relays that send pulses and say how many ranges there are, and of which store. */
    static PulseStub start(String bootstrap, String prefix) {
        var name = prefix + ".work.pulse";
        try (var pulses = new Topic(bootstrap, name)) {
            await().atMost(PATIENCE).until(() -> !pulses.read().isEmpty());
            var newest = pulses.read().get(pulses.read().size() - 1);
            var stub =
                    new PulseStub(bootstrap, name, Pulse.fromJson(newest.value().getBytes(UTF_8)));
            var unused = stub.executor.scheduleAtFixedRate(stub::pulse, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            return stub;
        }
    }

    private void pulse() {
        long now = System.currentTimeMillis();
        var pulse = Pulse.of(like.store(), "", "FF", now, 0, now + HORIZON.toMillis());
        var unused = producer.send(new ProducerRecord<>(topic, "-FF".getBytes(UTF_8), pulse.toJson()));
        producer.flush();
    }

    /** No further pulse. */
    void stop() {
        executor.shutdownNow();
    }

    @Override
    public void close() {
        stop();
        producer.close();
    }
}
