package io.sluice.relay.command;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Asks Kafka for the id of a topic; a topic that is deleted and created again gets a new one. Thread-safe. */
final class TopicIds {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Admin admin;
    private final String topic;

    TopicIds(Admin admin, String topic) {
        this.admin = admin;
        this.topic = topic;
    }

    /**
     * The current id; one round trip.
     *
     * @throws KafkaException when the topic does not exist, or Kafka does not answer
     */
    String current() {
        try {
            return Optional.ofNullable(admin.describeTopics(List.of(topic))
                            .topicNameValues()
                            .get(topic))
                    .orElseThrow()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .topicId()
                    .toString();
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("can't ask for the id of topic " + topic, e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
