package io.sluice.relay.topic;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;

/** Asks Kafka for the id of a topic; a topic that is deleted and created again gets a new one. Thread-safe. */
public final class TopicIds {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Admin admin;
    private final String topic;

    public TopicIds(Admin admin, String topic) {
        this.admin = admin;
        this.topic = topic;
    }

    /**
     * The current id; one round trip.
     *
     * @throws KafkaException when the topic does not exist, or Kafka does not answer
     */
    public String current() {
        try {
            return asked().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("can't ask for the id of topic " + topic, e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** The same without a wait. */
    public CompletionStage<String> ask() {
        return asked().toCompletionStage();
    }

    private KafkaFuture<String> asked() {
        return Optional.ofNullable(
                        admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
                .orElseThrow()
                .thenApply(found -> found.topicId().toString());
    }
}
