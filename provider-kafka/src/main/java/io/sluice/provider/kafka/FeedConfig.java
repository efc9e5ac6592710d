package io.sluice.provider.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

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
        FeedTimings timings) {
    /** Leaves room for the rest of a topic's name. */
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,200}");

    private static final int MOST_READERS = 64;

    static final FeedConfig DEFAULT = new FeedConfig(
            Map.of(),
            "sluice",
            10_000,
            4,
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            FeedTimings.DEFAULT);

    FeedConfig {
        clientProperties = Map.copyOf(clientProperties);
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
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, was " + value);
        }
    }

    FeedTopics topics() {
        return new FeedTopics(prefix);
    }

    FeedConfig withClientProperties(Map<String, Object> value) {
        return new FeedConfig(
                value, prefix, mostUnhandled, activityReaders, pulseTimeout, longestLag, closeTimeout, timings);
    }

    FeedConfig withPrefix(String value) {
        return new FeedConfig(
                clientProperties,
                value,
                mostUnhandled,
                activityReaders,
                pulseTimeout,
                longestLag,
                closeTimeout,
                timings);
    }

    FeedConfig withMostUnhandled(int value) {
        return new FeedConfig(
                clientProperties, prefix, value, activityReaders, pulseTimeout, longestLag, closeTimeout, timings);
    }

    FeedConfig withActivityReaders(int value) {
        return new FeedConfig(
                clientProperties, prefix, mostUnhandled, value, pulseTimeout, longestLag, closeTimeout, timings);
    }

    FeedConfig withPulseTimeout(Duration value) {
        return new FeedConfig(
                clientProperties, prefix, mostUnhandled, activityReaders, value, longestLag, closeTimeout, timings);
    }

    FeedConfig withLongestLag(Duration value) {
        return new FeedConfig(
                clientProperties, prefix, mostUnhandled, activityReaders, pulseTimeout, value, closeTimeout, timings);
    }

    FeedConfig withCloseTimeout(Duration value) {
        return new FeedConfig(
                clientProperties, prefix, mostUnhandled, activityReaders, pulseTimeout, longestLag, value, timings);
    }

    FeedConfig withTimings(FeedTimings value) {
        return new FeedConfig(
                clientProperties,
                prefix,
                mostUnhandled,
                activityReaders,
                pulseTimeout,
                longestLag,
                closeTimeout,
                value);
    }
}
