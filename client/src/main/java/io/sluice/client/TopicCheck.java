package io.sluice.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Checks at start that the topics exist, and which can be read: clients must not create them by their first use, nor
 * wait for them.
 */
final class TopicCheck {
    private static final int TRIES = 10;
    private static final long PAUSE_MILLIS = 200;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final String HIDDEN = "this client may not read (Read and Describe)";

    private TopicCheck() {}

    /**
     * Returns why the relay's dead letters can't be read, as a phrase that follows the topic's name; null when they
     * can, and for a client without replies. Without them a client works as well, and learns less.
     *
     * @throws ClientStartException when Kafka does not answer, or the commands or reply topic is missing
     */
    static @Nullable String requireTopics(ClientConfig config) {
        var timeoutMillis = String.valueOf(config.startTimeout().toMillis());
        Map<String, Object> settings = new HashMap<>(config.kafkaSettings());
        settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMillis);
        Admin admin;
        try {
            admin = Admin.create(settings);
        } catch (KafkaException e) {
            throw unanswered(config, e);
        }
        try {
            return requireTopics(config, admin);
        } finally {
            // Without a limit a client whose call got no answer may wait for it for five minutes.
            admin.close(CLOSE_LIMIT);
        }
    }

    private static @Nullable String requireTopics(ClientConfig config, Admin admin) {
        try {
            requireTopic(config, admin, config.commandsTopic(), "the relay makes it: run its provision");
            var replies = config.replyTopic();
            if (replies == null) {
                return null;
            }
            requireTopic(config, admin, replies, "make it, neither the client nor the relay does");
            return readFault(config, admin, config.deadLettersTopic());
        } catch (KafkaException e) {
            throw unanswered(config, e);
        }
    }

    /** Asks again for a moment: a broker may not know yet a topic that was just created. */
    private static void requireTopic(ClientConfig config, Admin admin, String topic, String whatToDo) {
        for (int tries = 1; !exists(config, admin, topic); tries++) {
            if (tries == TRIES) {
                throw new ClientStartException("topic " + topic + " is missing; " + whatToDo, null);
            }
            pause();
        }
    }

    private static boolean exists(ClientConfig config, Admin admin, String topic) {
        try {
            admin.describeTopics(List.of(topic)).allTopicNames().get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw unanswered(config, e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static @Nullable String readFault(ClientConfig config, Admin admin, String topic) {
        var asked = admin.describeTopics(List.of(topic), new DescribeTopicsOptions().includeAuthorizedOperations(true));
        try {
            var allowed = asked.allTopicNames().get().values().iterator().next().authorizedOperations();
            // A broker may not tell.
            return allowed == null || allowed.contains(AclOperation.READ) ? null : HIDDEN;
        } catch (ExecutionException e) {
            var cause = e.getCause();
            if (cause instanceof AuthorizationException) {
                return HIDDEN;
            }
            if (cause instanceof UnknownTopicOrPartitionException) {
                return "is missing";
            }
            throw unanswered(config, cause == null ? e : cause);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static ClientStartException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ClientStartException("interrupted while asking for topics", e);
    }

    static ClientStartException unanswered(ClientConfig config, Throwable cause) {
        if (cause instanceof AuthenticationException || cause instanceof AuthorizationException) {
            return new ClientStartException(
                    "Kafka at " + config.bootstrapServers() + " refuses this client ("
                            + last(cause).getMessage() + "); check the security settings, and what this user may do",
                    cause);
        }
        return new ClientStartException(
                "Kafka at " + config.bootstrapServers() + " does not answer within " + config.startTimeout() + " ("
                        + cause.getMessage()
                        + "); check the address, that the brokers are up, and the security settings",
                cause);
    }

    /** For a failed TLS handshake only the last cause is useful. */
    private static Throwable last(Throwable failure) {
        var last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return last;
    }
}
