package io.sluice.examples.servers;

import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka topics of one run, deleted at its end: of the brokers that {@code KAFKA_BOOTSTRAP_SERVERS} names, else of a
 * broker in this process.
 */
public final class RunTopics implements AutoCloseable {
    private static final int ANSWER_MILLIS = 15_000;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final @Nullable EmbeddedKafka embedded;
    private final String bootstrapServers;
    private final String prefix;
    private final boolean keep;
    private final Admin admin;

    private RunTopics(@Nullable EmbeddedKafka embedded, String bootstrapServers, String prefix, boolean keep) {
        this.embedded = embedded;
        this.bootstrapServers = bootstrapServers;
        this.prefix = prefix;
        this.keep = keep;
        this.admin = Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MILLIS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS));
    }

    /**
     * Connects to the brokers.
     *
     * @throws ExampleException when the brokers named can't be reached
     */
    public static RunTopics open(Map<String, String> environment, String prefix, boolean keep) {
        String named = environment.get("KAFKA_BOOTSTRAP_SERVERS");
        if (named == null || named.isBlank()) {
            EmbeddedKafka embedded = EmbeddedKafka.start(EmbeddedKafka.SHORT_GROUP_SESSIONS);
            return new RunTopics(embedded, embedded.bootstrapServers(), prefix, keep);
        }
        RunTopics opened;
        try {
            opened = new RunTopics(null, named, prefix, keep);
        } catch (RuntimeException e) {
            throw new ExampleException(
                    "KAFKA_BOOTSTRAP_SERVERS is not usable, was " + named + ": " + e.getMessage(), e);
        }
        try {
            opened.topics();
            return opened;
        } catch (ExampleException e) {
            opened.admin.close(CLOSE_LIMIT);
            throw e;
        }
    }

    /** The brokers, {@code host:port} with commas between. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Begins the name of every topic of the run. */
    public String prefix() {
        return prefix;
    }

    /** The full name of a topic of the run. */
    public String topic(String name) {
        return prefix + "." + name;
    }

    /** Creates a topic of the run with one partition; returns its full name. */
    public String create(String name) {
        String topic = topic(name);
        try {
            KafkaTopics.create(admin, new NewTopic(topic, Optional.of(1), Optional.empty()));
        } catch (IllegalStateException e) {
            throw failed("create " + topic, e);
        }
        return topic;
    }

    /** Whether these topics of this run exist. */
    public boolean hasTopics(List<String> names) {
        Set<String> topics = topics();
        return names.stream().map(this::topic).allMatch(topics::contains);
    }

    /** Where it is, for people. */
    public String description() {
        return (embedded == null ? "" : "embedded at ") + bootstrapServers + ", topics " + prefix + ".*";
    }

    @Override
    public void close() {
        if (embedded == null && !keep) {
            List<String> ours = topics().stream()
                    .filter(topic -> topic.startsWith(prefix + "."))
                    .toList();
            await("delete the topics of this run", admin.deleteTopics(ours).all());
        }
        admin.close(CLOSE_LIMIT);
        if (embedded != null) {
            embedded.close();
        }
    }

    private Set<String> topics() {
        return await("list the topics", admin.listTopics().names());
    }

    private <T> T await(String what, KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExampleException("interrupted", e);
        } catch (ExecutionException e) {
            throw failed(what, e);
        }
    }

    private ExampleException failed(String what, Exception failure) {
        return new ExampleException(
                "Kafka at " + bootstrapServers + " did not " + what + " (" + failure.getCause()
                        + "); check KAFKA_BOOTSTRAP_SERVERS and that the brokers run",
                failure);
    }
}
