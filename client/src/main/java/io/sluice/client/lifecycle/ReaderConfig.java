package io.sluice.client.lifecycle;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Which events are read, and from where.
 *
 * @param bootstrapServers host:port, separated by commas
 * @param prefix begins the names of the relay's topics, as its {@code SLUICE_PREFIX}
 * @param group a consumer group of your own, whose members share the partitions and which remembers what was handled;
 *     null for a reader that reads everything, and begins there again at every start
 * @param startAt where to begin on partitions of which the group has handled nothing; without a group on all of them
 * @param startTimeout how long {@link LifecycleEvents#start} waits for Kafka; 30 s
 * @param closeTimeout how long {@link LifecycleEvents#close} waits for the event being handled before it interrupts the
 *     handler; 30 s
 * @param kafkaSettings further settings of the consumer (security, {@code max.poll.records}), handed on as they are;
 *     kept out of logs
 */
public record ReaderConfig(
        String bootstrapServers,
        String prefix,
        @Nullable String group,
        StartAt startAt,
        Duration startTimeout,
        Duration closeTimeout,
        Map<String, String> kafkaSettings) {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** What Kafka's clients, and a wait for a thread, can be given in milliseconds. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private static final Duration LONGEST = Duration.ofDays(24);
    /** Kafka's own default. */
    private static final Duration POLL_INTERVAL = Duration.ofMinutes(5);

    /** @throws IllegalArgumentException naming the field and what it must be */
    public ReaderConfig {
        mustNotBeBlank("bootstrapServers", bootstrapServers);
        mustNotBeBlank("prefix", prefix);
        if (group != null) {
            mustNotBeBlank("group", group);
        }
        Objects.requireNonNull(startAt, "startAt");
        mustBePositive("startTimeout", startTimeout);
        mustBePositive("closeTimeout", closeTimeout);
        kafkaSettings = Map.copyOf(kafkaSettings);
    }

    /** A member of a group, which begins with the oldest event. */
    public static ReaderConfig ofGroup(String bootstrapServers, String prefix, String group) {
        Objects.requireNonNull(group, "group");
        return new ReaderConfig(bootstrapServers, prefix, group, StartAt.beginning(), TIMEOUT, TIMEOUT, Map.of());
    }

    /** A reader of all partitions that remembers nothing, and begins there at every start. */
    public static ReaderConfig alone(String bootstrapServers, String prefix, StartAt startAt) {
        return new ReaderConfig(bootstrapServers, prefix, null, startAt, TIMEOUT, TIMEOUT, Map.of());
    }

    /** The same, beginning there. */
    public ReaderConfig withStartAt(StartAt place) {
        return new ReaderConfig(bootstrapServers, prefix, group, place, startTimeout, closeTimeout, kafkaSettings);
    }

    /** The same, waiting for Kafka for so long at start. */
    public ReaderConfig withStartTimeout(Duration timeout) {
        return new ReaderConfig(bootstrapServers, prefix, group, startAt, timeout, closeTimeout, kafkaSettings);
    }

    /** The same, waiting for the event being handled for so long at the end. */
    public ReaderConfig withCloseTimeout(Duration timeout) {
        return new ReaderConfig(bootstrapServers, prefix, group, startAt, startTimeout, timeout, kafkaSettings);
    }

    /** The same with these settings of Kafka's consumer. */
    public ReaderConfig withKafkaSettings(Map<String, String> settings) {
        return new ReaderConfig(bootstrapServers, prefix, group, startAt, startTimeout, closeTimeout, settings);
    }

    /** How long the group waits for a member that handles events before it gives its partitions to others. */
    Duration longestBetweenPolls() {
        var setting = kafkaSettings.get(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
        return setting == null ? POLL_INTERVAL : Duration.ofMillis(Long.parseLong(setting.strip()));
    }

    String topic() {
        return prefix + ".lifecycle";
    }

    private static void mustNotBeBlank(String field, String text) {
        if (Objects.requireNonNull(text, field).isBlank()) {
            throw new IllegalArgumentException(field + " must not be blank");
        }
    }

    private static void mustBePositive(String field, Duration duration) {
        Objects.requireNonNull(duration, field);
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(field + " must be longer than nothing, was " + duration);
        }
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    field + " must be 1 ms to " + LONGEST.toDays() + " days, was " + duration);
        }
    }

    /** Where, but not the settings' values: they may hold passwords. */
    @Override
    public String toString() {
        return "ReaderConfig[" + bootstrapServers + ", " + topic() + ", group " + group + ", from " + startAt
                + ", settings " + kafkaSettings.keySet() + "]";
    }
}
