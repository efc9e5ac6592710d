package io.sluice.examples;

import io.sluice.testkit.EmbeddedKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaFuture;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka the pipeline talks to: the one that {@code KAFKA_BOOTSTRAP_SERVERS} names, else a broker in this process. Each run has topics of its
 * own, deleted at the end.
 */
final class KafkaPlace implements AutoCloseable {
    private static final int ANSWER_MILLIS = 15_000;

    private final @Nullable EmbeddedKafka embedded;
    private final String bootstrapServers;
    private final String prefix;
    private final boolean keep;
    private final Admin admin;

    private KafkaPlace(@Nullable EmbeddedKafka embedded, String bootstrapServers, String prefix, boolean keep) {
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
     * Opens it.
     *
     * @throws DemoException when the brokers named can't be reached
     */
    static KafkaPlace open(Map<String, String> environment, String prefix, boolean keep) {
        String named = environment.get("KAFKA_BOOTSTRAP_SERVERS");
        if (named == null || named.isBlank()) {
            EmbeddedKafka embedded = EmbeddedKafka.start();
            return new KafkaPlace(embedded, embedded.bootstrapServers(), prefix, keep);
        }
        KafkaPlace place;
        try {
            place = new KafkaPlace(null, named, prefix, keep);
        } catch (RuntimeException e) {
            throw new DemoException("KAFKA_BOOTSTRAP_SERVERS is not usable, was " + named + ": " + e.getMessage(), e);
        }
        try {
            place.topics();
            return place;
        } catch (DemoException e) {
            place.admin.close(Duration.ZERO);
            throw e;
        }
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    String prefix() {
        return prefix;
    }

    String topic(String name) {
        return prefix + "." + name;
    }

    /** Whether these topics of this run exist. */
    boolean hasTopics(List<String> names) {
        Set<String> topics = topics();
        return names.stream().map(this::topic).allMatch(topics::contains);
    }

    String description() {
        return (embedded == null ? "" : "embedded at ") + bootstrapServers + ", topics " + prefix + ".*";
    }

    @Override
    public void close() {
        if (embedded == null && !keep) {
            List<String> mine = topics().stream()
                    .filter(topic -> topic.startsWith(prefix + "."))
                    .toList();
            await("delete the topics of this run", admin.deleteTopics(mine).all());
        }
        admin.close();
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
            throw new DemoException("interrupted", e);
        } catch (ExecutionException e) {
            throw new DemoException(
                    "Kafka at " + bootstrapServers + " did not " + what + " (" + e.getCause()
                            + "); check KAFKA_BOOTSTRAP_SERVERS and that the brokers run",
                    e);
        }
    }
}
