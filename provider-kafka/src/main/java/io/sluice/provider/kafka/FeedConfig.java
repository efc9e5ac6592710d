package io.sluice.provider.kafka;

import io.sluice.provider.kafka.client.OwnClientSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * What a feed is configured with; {@link KafkaWorkFeedBuilder} describes it.
 *
 * @param mostUnhandled announcements of turns, of one partition
 */
record FeedConfig(
        Map<String, Object> clientProperties,
        String prefix,
        int mostUnhandled,
        int activityReaders,
        Duration pulseTimeout,
        Duration longestLag,
        Duration closeTimeout,
        Duration ownWorkAfter,
        Duration completionsWithin,
        FeedTimings timings) {
    /** Leaves room for the rest of a topic's name. */
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,200}");

    private static final int MOST_READERS = 64;
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    FeedConfig {
        clientProperties = Map.copyOf(clientProperties);
        Object servers = clientProperties.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
        if (servers == null || Objects.toString(servers).isBlank()) {
            throw new IllegalArgumentException("clientProperties needs bootstrap.servers, was " + servers);
        }
        OwnClientSettings.requireNone(clientProperties);
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "topicPrefix must be 1 to 200 letters, digits, '.', '_' and '-', was " + prefix);
        }
        if (mostUnhandled < 1) {
            throw new IllegalArgumentException("unhandledTurns must be at least 1, was " + mostUnhandled);
        }
        if (activityReaders < 1 || activityReaders > MOST_READERS) {
            throw new IllegalArgumentException(
                    "activityReaders must be 1 to " + MOST_READERS + ", was " + activityReaders);
        }
        requirePositive("pulseTimeout", pulseTimeout);
        requirePositive("longestLag", longestLag);
        requirePositive("closeTimeout", closeTimeout);
        requireShort("ownWorkAfter", ownWorkAfter);
        requireShort("completionsWithin", completionsWithin);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, was " + value);
        }
    }

    private static void requireShort(String name, Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException(name + " must be from 0 to a minute, was " + value);
        }
    }

    FeedTopics topics() {
        return new FeedTopics(prefix);
    }
}
