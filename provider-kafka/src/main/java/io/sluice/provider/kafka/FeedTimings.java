package io.sluice.provider.kafka;

import java.time.Duration;

/**
 * How long threads of a feed rest.
 *
 * @param topicCheck between two looks at the topics
 * @param missingTopicCheck the same while one of them is missing
 * @param firstRetry after a failure; each further failure doubles it
 * @param longestRetry after many failures
 * @param unsupportedRetry after a broker said that it has no such kind of group
 * @param healthCheck between two looks at the health of subscriptions
 */
record FeedTimings(
        Duration topicCheck,
        Duration missingTopicCheck,
        Duration firstRetry,
        Duration longestRetry,
        Duration unsupportedRetry,
        Duration healthCheck) {
    static final FeedTimings DEFAULT = new FeedTimings(
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofMinutes(3),
            Duration.ofMillis(250));
}
