package io.sluice.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KafkaTopicsIT {
    /** Without the wait for leaders, about one topic of forty took two minutes to lose a record. */
    private static final int TOPICS = 100;

    private static final long QUICKER_THAN_A_DELIVERY_TIMES_OUT = 60;

    @Test
    void a_new_topic_takes_all_records_that_are_sent_at_once() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 0);
            List<Future<?>> sent = new ArrayList<>();
            try (Admin admin = Admin.create(settings);
                    KafkaProducer<String, String> producer =
                            new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
                for (int topic = 0; topic < TOPICS; topic++) {
                    KafkaTopics.create(admin, new NewTopic("topic-" + topic, 1, (short) 1));
                    sent.add(producer.send(new ProducerRecord<>("topic-" + topic, "first")));
                    sent.add(producer.send(new ProducerRecord<>("topic-" + topic, "second")));
                }
                for (Future<?> one : sent) {
                    one.get(QUICKER_THAN_A_DELIVERY_TIMES_OUT, SECONDS);
                }

                assertThatThrownBy(() -> KafkaTopics.create(admin, new NewTopic("topic-0", 1, (short) 1)))
                        .hasMessage("can't create topics")
                        .hasCauseInstanceOf(TopicExistsException.class);
            }
        }
    }
}
