package io.sluice.client.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.KafkaTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BrokerOutageIT {
    private static final String PREFIX = "orders";
    private static final String TOPIC = PREFIX + ".lifecycle";
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(Subscription.class);
    }

    @BeforeEach
    void hear() {
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        logger().setLevel(Level.WARN);
        logger().addAppender(log);
    }

    @AfterEach
    void hearNoMore() {
        logger().detachAppender(log);
        logger().setLevel(null);
    }

    private static Map<String, Object> settings(EmbeddedKafka kafka) {
        return Map.of("bootstrap.servers", kafka.bootstrapServers());
    }

    private static void publish(EmbeddedKafka kafka, String id) throws Exception {
        var event = new LifecycleEvent(id, "o-1", 1, 1, Instant.EPOCH, "Order", null, null, "o-1", new Fact.Started());
        try (var producer = new KafkaProducer<>(settings(kafka), new StringSerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(TOPIC, "o-1", LifecycleJson.encode(event)))
                    .get();
        }
    }

    private LifecycleEvents reader(EmbeddedKafka kafka) {
        var config = ReaderConfig.alone(kafka.bootstrapServers(), PREFIX, StartAt.beginning())
                .withStartTimeout(Duration.ofSeconds(10));
        return LifecycleEvents.start(config, event -> seen.add(event.id()));
    }

    @Test
    void a_reader_alone_outlives_its_only_broker() throws Exception {
        var kafka = EmbeddedKafka.start(folder);
        try (var admin = Admin.create(settings(kafka))) {
            KafkaTopics.create(
                    admin,
                    new NewTopic(TOPIC, 1, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime")));
        }
        publish(kafka, "before");
        var reader = reader(kafka);
        try {
            await().atMost(TIMEOUT).until(() -> seen.equals(List.of("before")));
            kafka.close();
            await().atMost(TIMEOUT)
                    .until(() -> !log.list.isEmpty() || reader.ended().isDone());
            kafka = EmbeddedKafka.start(folder, kafka.port());
            publish(kafka, "after");

            await().atMost(TIMEOUT)
                    .until(() -> seen.size() > 1 || reader.ended().isDone());

            assertThat(seen).containsExactly("before", "after");
            assertThat(reader.ended()).isNotDone();
        } finally {
            reader.close();
            kafka.close();
        }
    }

    @Test
    void a_reader_alone_that_is_closed_while_kafka_is_away_has_ended_by_that() throws Exception {
        var kafka = EmbeddedKafka.start(folder);
        try (var admin = Admin.create(settings(kafka))) {
            KafkaTopics.create(admin, new NewTopic(TOPIC, 1, (short) 1));
        }
        var reader = reader(kafka);
        kafka.close();
        await().atMost(TIMEOUT)
                .until(() -> !log.list.isEmpty() || reader.ended().isDone());

        reader.close();

        assertThat(reader.ended()).isCompleted();
    }
}
