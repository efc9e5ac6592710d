package io.sluice.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a client reaches Kafka, and what for.
 *
 * @param bootstrapServers host:port, separated by commas
 * @param prefix begins the names of the relay's topics, as its {@code SLUICE_PREFIX}
 * @param replyTopic a topic of your own, which must be there and among those the relay may reply to (by default
 *     {@code <prefix>.replies} and names that begin with {@code <prefix>.replies.}); null for a client that awaits no
 *     replies. Many clients may share one: each reads all of it and takes its own replies
 * @param allowedReplyTopics the relay's {@code SLUICE_REPLY_TOPICS}, if it is set: names of topics, a {@code *} at the
 *     end of one stands for any ending; empty for the relay's default. It is compared with the reply topic by
 *     {@link SluiceClient#open}
 * @param replyTimeout how long a reply is awaited, unless a command says otherwise; 30 s
 * @param startTimeout how long {@link SluiceClient#open} waits for Kafka; 30 s
 * @param closeTimeout how long {@link SluiceClient#close} waits for commands that are not yet acknowledged; 10 s
 * @param kafkaSettings further settings of producer and consumer (security, {@code delivery.timeout.ms}), handed on as
 *     they are; kept out of logs
 */
public record ClientConfig(
        String bootstrapServers,
        String prefix,
        @Nullable String replyTopic,
        List<String> allowedReplyTopics,
        Duration replyTimeout,
        Duration startTimeout,
        Duration closeTimeout,
        Map<String, String> kafkaSettings) {
    /** What Kafka's clients, and a wait for a thread, can be given in milliseconds. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private static final Duration LONGEST = Duration.ofDays(24);
    /** With them commands to one instance would not be taken in order, or none could be sent. */
    private static final List<String> NOT_GIVEN = List.of(
            ProducerConfig.PARTITIONER_CLASS_CONFIG,
            ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG);

    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    /** How the topics of a relay end, whatever its prefix: they take no replies. */
    private static final List<String> RELAYS_OWN = List.of(
            ".history",
            ".positions",
            ".commands",
            ".commands.parked",
            ".dead-letters",
            ".relays",
            ".lifecycle",
            ".status",
            ".statistics",
            ".stuck",
            ".work.turns",
            ".work.activities",
            ".work.help",
            ".work.pulse",
            ".replay",
            "-streams-instances-changelog",
            "-streams-silence-changelog",
            "-streams-statistics-changelog",
            "-streams-by-orchestration-repartition");

    /** @throws IllegalArgumentException naming the field and what it must be */
    public ClientConfig {
        Objects.requireNonNull(bootstrapServers, "bootstrapServers");
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("bootstrapServers must be host:port, separated by commas, was blank");
        }
        mustBeATopic("prefix", Objects.requireNonNull(prefix, "prefix"));
        if (replyTopic != null) {
            mustBeATopic("replyTopic", replyTopic);
            mustNotBeARelays(replyTopic);
        }
        allowedReplyTopics = List.copyOf(allowedReplyTopics);
        mustBePositive("replyTimeout", replyTimeout);
        mustBePositive("startTimeout", startTimeout);
        mustBePositive("closeTimeout", closeTimeout);
        kafkaSettings = Map.copyOf(kafkaSettings);
        for (var setting : NOT_GIVEN) {
            if (kafkaSettings.containsKey(setting)) {
                throw new IllegalArgumentException(
                        "kafkaSettings must be without " + setting + ": commands are sent in order, by their key");
            }
        }
    }

    /** A client that sends, and awaits no replies. */
    public static ClientConfig of(String bootstrapServers, String prefix) {
        return new ClientConfig(
                bootstrapServers,
                prefix,
                null,
                List.of(),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Map.of());
    }

    /** The same with replies on this topic. */
    public ClientConfig withReplyTopic(String topic) {
        return new ClientConfig(
                bootstrapServers,
                prefix,
                topic,
                allowedReplyTopics,
                replyTimeout,
                startTimeout,
                closeTimeout,
                kafkaSettings);
    }

    /** The same for a relay whose {@code SLUICE_REPLY_TOPICS} is this list. */
    public ClientConfig withAllowedReplyTopics(List<String> names) {
        return new ClientConfig(
                bootstrapServers, prefix, replyTopic, names, replyTimeout, startTimeout, closeTimeout, kafkaSettings);
    }

    /** The same, awaiting a reply for so long. */
    public ClientConfig withReplyTimeout(Duration timeout) {
        return new ClientConfig(
                bootstrapServers,
                prefix,
                replyTopic,
                allowedReplyTopics,
                timeout,
                startTimeout,
                closeTimeout,
                kafkaSettings);
    }

    /** The same, waiting for Kafka for so long at start. */
    public ClientConfig withStartTimeout(Duration timeout) {
        return new ClientConfig(
                bootstrapServers,
                prefix,
                replyTopic,
                allowedReplyTopics,
                replyTimeout,
                timeout,
                closeTimeout,
                kafkaSettings);
    }

    /** The same, waiting for acknowledgements for so long at the end. */
    public ClientConfig withCloseTimeout(Duration timeout) {
        return new ClientConfig(
                bootstrapServers,
                prefix,
                replyTopic,
                allowedReplyTopics,
                replyTimeout,
                startTimeout,
                timeout,
                kafkaSettings);
    }

    /** The same with these settings of Kafka's clients. */
    public ClientConfig withKafkaSettings(Map<String, String> settings) {
        return new ClientConfig(
                bootstrapServers,
                prefix,
                replyTopic,
                allowedReplyTopics,
                replyTimeout,
                startTimeout,
                closeTimeout,
                settings);
    }

    String commandsTopic() {
        return prefix + ".commands";
    }

    String deadLettersTopic() {
        return prefix + ".dead-letters";
    }

    /** Why the relay would refuse each command that names the reply topic; null when it allows it, or there is none. */
    @Nullable
    String replyTopicFault() {
        var allowed =
                allowedReplyTopics.isEmpty() ? List.of(prefix + ".replies", prefix + ".replies.*") : allowedReplyTopics;
        if (replyTopic == null || allowed.stream().anyMatch(name -> covers(name, replyTopic))) {
            return null;
        }
        return "the relay may not reply to " + replyTopic + ", only to " + String.join(", ", allowed)
                + ": it would refuse every command, without a reply. Choose another topic, or let the relay's"
                + " SLUICE_REPLY_TOPICS name this one and tell the client so by withAllowedReplyTopics";
    }

    private static boolean covers(String name, String topic) {
        return name.endsWith("*") ? topic.startsWith(name.substring(0, name.length() - 1)) : topic.equals(name);
    }

    /** What else may keep replies away, in words: only the relay knows what it allows. */
    String whereRefusalsAre() {
        return "if the relay may not reply to " + replyTopic
                + " (its SLUICE_REPLY_TOPICS, and its rights), the reason is in " + deadLettersTopic();
    }

    private static void mustBeATopic(String field, String name) {
        if (!TOPIC.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException(field
                    + " must be 1 to 249 letters, digits, dots, underscores and hyphens, was '"
                    + CommandRules.shown(name) + "'");
        }
    }

    private static void mustNotBeARelays(String topic) {
        RELAYS_OWN.stream().filter(topic::endsWith).findFirst().ifPresent(ending -> {
            throw new IllegalArgumentException("replyTopic must be one of your own, was '" + topic + "', which ends in "
                    + ending + " as a relay's topic does");
        });
    }

    static void mustBePositive(String field, Duration duration) {
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
        return "ClientConfig[" + bootstrapServers + ", prefix " + prefix + ", replies " + replyTopic + ", settings "
                + kafkaSettings.keySet() + "]";
    }
}
