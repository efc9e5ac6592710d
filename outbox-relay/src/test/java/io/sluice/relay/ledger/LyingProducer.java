package io.sluice.relay.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.relay.ledger.load.Instances;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes wrong announcements between the true ones: bytes that are none, instances and documents that don't exist,
 * documents of other instances, other versions, true ones once more, by themselves and in the partition of another
 * instance. Whatever it names comes with a horizon of minutes, by which an announcement says that it names everything.
 * For one thread.
 */
final class LyingProducer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration POLL = Duration.ofMillis(10);
    private static final long HORIZON_MILLIS = 600_000;
    private static final int AT_A_TIME = 10;
    private static final String LIE = "lie-";
    private static final int REMEMBERED = 500;
    private static final int NEWEST_ORDERS = 20;

    private final List<String> topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<Announcement> heard = new ArrayList<>();
    private final Random random = new Random(1);

    LyingProducer(String bootstrap, String prefix) {
        this.topics = List.of(prefix + ".work.turns", prefix + ".work.activities");
        Map<String, Object> properties = Map.of("bootstrap.servers", bootstrap);
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        var partitions = topics.stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(found -> new TopicPartition(found.topic(), found.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
    }

    /**
     * Writes some.
     *
     * @param orders so many orders were given
     */
    void lie(int orders) {
        consumer.poll(POLL).forEach(message -> hear(message.value()));
        for (int i = 0; i < AT_A_TIME; i++) {
            var topic = topics.get(random.nextInt(topics.size()));
            var instance = instance(orders);
            var unused = producer.send(new ProducerRecord<>(topic, instance.getBytes(UTF_8), content(instance)));
        }
        producer.flush();
    }

    /** Keeps true announcements. What it wrote itself comes back as well, garbage among it. */
    private void hear(byte @Nullable [] value) {
        if (value != null && value.length > 0 && value[0] == '{' && value[value.length - 1] == '}') {
            var announcement = Announcement.fromJson(value);
            if (!announcement.isCheck() && !announcement.documents().get(0).id().startsWith(LIE)) {
                heard.add(announcement);
            }
        }
        while (heard.size() > REMEMBERED) {
            heard.remove(0);
        }
    }

    private String instance(int orders) {
        return switch (random.nextInt(3)) {
            case 0 -> Instances.hub(random.nextInt(Instances.HUBS));
            case 1 -> Instances.order(Math.max(0, orders - 1 - random.nextInt(NEWEST_ORDERS)));
            default -> LIE + random.nextLong();
        };
    }

    private byte @Nullable [] content(String instance) {
        int kind = heard.isEmpty() ? random.nextInt(4) : random.nextInt(8);
        return switch (kind) {
            case 0 -> garbage();
            case 1 -> Announcement.check(instance).toJson();
            case 2, 3 -> naming(instance, List.of(invented()));
            case 4 -> naming(instance, anyHeard().documents());
            case 5 -> otherVersions(anyHeard());
            default -> anyHeard().toJson();
        };
    }

    private static byte[] naming(String instance, List<AnnouncedDocument> documents) {
        return Announcement.of(instance, horizon(), documents).toJson();
    }

    private static long horizon() {
        return System.currentTimeMillis() + HORIZON_MILLIS;
    }

    private Announcement anyHeard() {
        return heard.get(random.nextInt(heard.size()));
    }

    private byte @Nullable [] garbage() {
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> new byte[0];
            case 2 -> "{\"version\":1,\"instanceId\":\"order-".getBytes(UTF_8);
            default -> {
                var bytes = new byte[1 + random.nextInt(1_000)];
                random.nextBytes(bytes);
                bytes[0] = 0;
                yield bytes;
            }
        };
    }

    private AnnouncedDocument invented() {
        long now = System.currentTimeMillis();
        var session = random.nextBoolean() ? "till-" + random.nextInt(5) : null;
        return new AnnouncedDocument(
                LIE + random.nextLong(),
                "ActivityCompleted",
                100,
                now,
                now,
                null,
                0,
                etag(),
                1L,
                (long) random.nextInt(10),
                session,
                null,
                null);
    }

    private byte[] otherVersions(Announcement announcement) {
        ObjectNode json = JSON.valueToTree(announcement);
        json.put("horizon", horizon());
        json.path("documents").forEach(document -> ((ObjectNode) document).put("etag", etag()));
        return json.toString().getBytes(UTF_8);
    }

    private String etag() {
        return "\"" + Long.toHexString(random.nextLong()) + "\"";
    }

    @Override
    public void close() {
        consumer.close();
        producer.close();
    }
}
