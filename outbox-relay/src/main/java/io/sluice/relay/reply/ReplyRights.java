package io.sluice.relay.reply;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Asks Kafka in advance whether the relay may write to a topic; the request does not create the topic. Thread-safe. */
public final class ReplyRights {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Admin admin;

    /** Asks by this client. */
    public ReplyRights(Admin admin) {
        this.admin = admin;
    }

    /**
     * Why the relay can't write to a topic, as a phrase that follows the name; null when it can, and when the cluster
     * does not report rights.
     *
     * @throws KafkaException when Kafka does not answer
     */
    public @Nullable String fault(String topic) {
        var asked = admin.describeTopics(List.of(topic), new DescribeTopicsOptions().includeAuthorizedOperations(true));
        try {
            var allowed = Optional.ofNullable(asked.topicNameValues().get(topic))
                    .orElseThrow()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .authorizedOperations();
            return allowed == null || allowed.contains(AclOperation.WRITE)
                    ? null
                    : "may not be written to by the relay; allow it Write and Describe";
        } catch (ExecutionException e) {
            return fault(topic, e);
        } catch (TimeoutException e) {
            throw new KafkaException("Kafka does not say in time whether topic " + topic + " is there", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static String fault(String topic, ExecutionException failure) {
        var cause = failure.getCause();
        if (cause instanceof UnknownTopicOrPartitionException) {
            return "does not exist; make it, the relay does not";
        }
        if (cause instanceof InvalidTopicException) {
            return "is no topic to Kafka: " + cause.getMessage();
        }
        if (cause instanceof AuthorizationException) {
            return "does not exist or is hidden from the relay; allow it Write and Describe";
        }
        throw new KafkaException("can't ask for topic " + topic, cause);
    }
}
