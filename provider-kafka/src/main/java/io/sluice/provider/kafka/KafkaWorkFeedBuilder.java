package io.sluice.provider.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.provider.kafka.client.KafkaClientVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Collects what a {@link KafkaWorkFeed} needs. */
public final class KafkaWorkFeedBuilder {
    private Map<String, Object> clientProperties = Map.of();
    private String topicPrefix = "sluice";
    private int unhandledTurns = 25_000;
    private int activityReaders = 4;
    private Duration pulseTimeout = Duration.ofSeconds(10);
    private Duration longestLag = Duration.ofSeconds(5);
    private Duration closeTimeout = Duration.ofSeconds(5);
    private Duration ownWorkAfter = Duration.ZERO;
    private Duration completionsWithin = Duration.ofMillis(50);
    private FeedTimings timings = FeedTimings.DEFAULT;
    private @Nullable MeterRegistry registry;

    KafkaWorkFeedBuilder() {}

    /**
     * Properties of Kafka's clients, such as {@code bootstrap.servers} and the security settings. Groups, offsets,
     * deserializers and the like are the feed's own: {@link KafkaWorkFeed#ownClientSettings} are refused.
     */
    public KafkaWorkFeedBuilder clientProperties(Map<String, ?> properties) {
        this.clientProperties = new HashMap<>(properties);
        return this;
    }

    /** The same from a file of properties. */
    public KafkaWorkFeedBuilder clientProperties(Properties properties) {
        Map<String, String> read = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> read.put(name, properties.getProperty(name)));
        return clientProperties(read);
    }

    /** What the relay's topics begin with ({@code SLUICE_PREFIX}); {@code sluice} by default. */
    public KafkaWorkFeedBuilder topicPrefix(String prefix) {
        this.topicPrefix = prefix;
        return this;
    }

    /**
     * A partition is paused while more announcements of turns than this are not handled; 25 000 by default. It goes on
     * at half of them. Timers are announced up to a minute ahead and not handled before they are due: where more of
     * them become due within a minute than the process's partitions may hold, other work would wait for them.
     */
    public KafkaWorkFeedBuilder unhandledTurns(int mostOfPartition) {
        this.unhandledTurns = mostOfPartition;
        return this;
    }

    /**
     * How many clients read activities, each one at a time; 4 by default. A client is free again when the activity's
     * lock was tried, so few serve many workers.
     */
    public KafkaWorkFeedBuilder activityReaders(int clients) {
        this.activityReaders = clients;
        return this;
    }

    /** The longest silence of a relay about one of its ranges; 10 s by default. */
    public KafkaWorkFeedBuilder pulseTimeout(Duration longestSilence) {
        this.pulseTimeout = longestSilence;
        return this;
    }

    /** How far a relay may be behind the end of the change feed; 5 s by default. */
    public KafkaWorkFeedBuilder longestLag(Duration lag) {
        this.longestLag = lag;
        return this;
    }

    /** For how long {@link KafkaWorkFeed#close} waits for its threads; 5 s by default. */
    public KafkaWorkFeedBuilder closeTimeout(Duration timeout) {
        this.closeTimeout = timeout;
        return this;
    }

    /**
     * How long a process waits for the announcement of a message that it sent itself, such as the completion of an
     * activity, before it queries the instance; zero by default. That query saves the way of the
     * announcement through the change feed and Kafka.
     */
    public KafkaWorkFeedBuilder ownWorkAfter(Duration wait) {
        this.ownWorkAfter = wait;
        return this;
    }

    /**
     * How long the next turn of an instance waits for the next completion, where the last turn queued several
     * activities and this process completes them one soon after another, and five times that in all; 50 ms by default,
     * at most a minute. Taken together they cost one turn, of two or three requests. It waits once after each such
     * turn, and never for a single activity. Zero takes each turn at once.
     */
    public KafkaWorkFeedBuilder completionsWithin(Duration each) {
        this.completionsWithin = each;
        return this;
    }

    /** Where the feed's meters go; none by default. */
    public KafkaWorkFeedBuilder meterRegistry(MeterRegistry meters) {
        this.registry = meters;
        return this;
    }

    KafkaWorkFeedBuilder timings(FeedTimings timings) {
        this.timings = timings;
        return this;
    }

    /**
     * Asks Kafka once what a feed needs, and changes nothing: a sentence for each topic of announcements that is
     * missing, for brokers without share groups, or for a Kafka that does not answer within ten seconds or refuses. A
     * process to which this applies queries the store for its work.
     *
     * @throws IllegalArgumentException as of {@link #build}
     * @throws IllegalStateException as of {@link #build}
     */
    public List<String> check() {
        KafkaClientVersion.requireUsable();
        FeedConfig config = config();
        List<String> found = new ArrayList<>();
        Set<String> wanted = config.topics().all();
        try {
            ClusterState cluster = clusterState(config, wanted);
            cluster.missing(wanted)
                    .forEach(topic -> found.add(
                            "topic " + topic + " is missing: enable dispatch at the relay and run its provision"));
            if (!cluster.shareGroups()) {
                found.add("the brokers have no share groups: activities are searched for; they need Kafka 4.2 and the"
                        + " feature share.version");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            found.add("interrupted before Kafka answered");
        } catch (KafkaException e) {
            found.add("Kafka can't be asked: " + Objects.requireNonNullElse(e.getCause(), e));
        }
        return found;
    }

    private static ClusterState clusterState(FeedConfig config, Set<String> wanted) throws InterruptedException {
        Admin admin = Admin.create(FeedClients.adminProperties(config, "topics"));
        try {
            return ClusterState.at(admin, wanted);
        } finally {
            FeedClients.close(admin);
        }
    }

    /**
     * The feed. Nothing connects before the first subscription.
     *
     * @throws IllegalArgumentException when {@code bootstrap.servers} is missing, a setting is out of bounds, or a
     *     property of clients is the feed's own
     * @throws IllegalStateException when the kafka-clients on the class path is older than 4.2, as with Spring Boot
     *     unless its property {@code kafka.version} is set
     */
    public KafkaWorkFeed build() {
        KafkaClientVersion.requireUsable();
        return new KafkaWorkFeed(config(), registry);
    }

    FeedConfig config() {
        return new FeedConfig(
                clientProperties,
                topicPrefix,
                unhandledTurns,
                activityReaders,
                pulseTimeout,
                longestLag,
                closeTimeout,
                ownWorkAfter,
                completionsWithin,
                timings);
    }
}
