package io.sluice.provider.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
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
     * deserializers and the like are the feed's own.
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
     * activity, before it looks at the instance; zero by default. A look costs one query and saves the way of the
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
     * The feed. Nothing connects before the first subscription.
     *
     * @throws IllegalArgumentException when {@code bootstrap.servers} is missing, or a setting is out of bounds
     */
    public KafkaWorkFeed build() {
        return new KafkaWorkFeed(
                new FeedConfig(
                        clientProperties,
                        topicPrefix,
                        unhandledTurns,
                        activityReaders,
                        pulseTimeout,
                        longestLag,
                        closeTimeout,
                        ownWorkAfter,
                        completionsWithin,
                        timings),
                registry);
    }
}
