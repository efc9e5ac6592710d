package io.sluice.relay.kafka;

import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.log.LogKeys;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks before anything else is started that Kafka's clients accept their settings and that a broker answers. */
public record KafkaConnectivity(KafkaAccess kafka) {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaConnectivity.class);
    private static final long ANSWER_SECONDS = 4;

    /** Shorter parts of a secret reveal nothing, and occur in every sentence. */
    private static final int SHORTEST_QUOTE = 4;

    /**
     * Checks that a client accepts the settings. Sends no request.
     *
     * @throws PrerequisiteException with the client's message; the message is left out if it quotes a secret setting,
     *     as messages about a JAAS text do
     */
    public void checkSettings() {
        try {
            kafka.admin().close();
        } catch (KafkaException e) {
            throw new PrerequisiteException(
                    "Kafka's client refuses its settings: " + message(e)
                            + "; check KAFKA_BOOTSTRAP_SERVERS and the security settings "
                            + kafka.clientSettings().keySet().stream().sorted().toList(),
                    null);
        }
    }

    private String message(Throwable failure) {
        var message = FailureReason.last(failure).toString();
        var quoted = kafka.clientSettings().entrySet().stream()
                .filter(setting -> isSecret(setting.getKey()) && isQuoted(setting.getValue(), message))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        return quoted.isEmpty()
                ? message
                : "its message about " + String.join(", ", quoted) + " is not shown, as it quotes the value";
    }

    private static boolean isSecret(String setting) {
        var known = AdminClientConfig.configDef().configKeys().get(setting);
        return known == null || known.type() == ConfigDef.Type.PASSWORD;
    }

    private static boolean isQuoted(String secret, String message) {
        return Stream.of(secret.split("[\\s\"';=]+", -1))
                .anyMatch(part -> part.length() >= SHORTEST_QUOTE && message.contains(part));
    }

    /**
     * Checks that a broker answers.
     *
     * @throws PrerequisiteException if none answers within seconds
     */
    public void checkAnswer(Admin admin) {
        try {
            var nodes = admin.describeCluster().nodes().get(ANSWER_SECONDS, TimeUnit.SECONDS);
            LOG.atInfo().addKeyValue(LogKeys.COUNT, nodes.size()).log("Kafka answered with the brokers of the cluster");
        } catch (TimeoutException e) {
            throw silent(e);
        } catch (ExecutionException e) {
            throw unreachable(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(e);
        }
    }

    private PrerequisiteException silent(TimeoutException cause) {
        return new PrerequisiteException(
                "can't reach Kafka at " + kafka.bootstrapServers() + " (no broker answered within " + ANSWER_SECONDS
                        + " s); check " + ConnectionFailure.of(cause).remedy(),
                cause);
    }

    private PrerequisiteException unreachable(Throwable cause) {
        var failure = ConnectionFailure.of(cause);
        return new PrerequisiteException(
                "can't reach Kafka at " + kafka.bootstrapServers() + " (" + failure.reason() + "); check "
                        + failure.remedy(),
                cause);
    }
}
