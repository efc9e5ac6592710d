package io.sluice.provider.kafka;

import java.time.Duration;

/**
 * How long threads of a feed wait.
 *
 * @param topicCheck between two checks of the topics
 * @param missingTopicCheck the same while one of them is missing
 * @param firstRetry after a failure; each further failure doubles it
 * @param longestRetry after many failures
 * @param unsupportedRetry after a broker said that it has no such kind of group
 * @param healthCheck between two checks of the health of subscriptions
 * @param readAfterFetch how long turns are read after a dispatcher has fetched some
 */
record FeedTimings(
        Duration topicCheck,
        Duration missingTopicCheck,
        Duration firstRetry,
        Duration longestRetry,
        Duration unsupportedRetry,
        Duration healthCheck,
        Duration readAfterFetch) {
    static final FeedTimings DEFAULT = new FeedTimings(
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofMinutes(3),
            Duration.ofMillis(250),
            Duration.ofSeconds(30));

    /** The same with another {@link #readAfterFetch}. */
    FeedTimings withReadAfterFetch(Duration lasts) {
        return new FeedTimings(
                topicCheck, missingTopicCheck, firstRetry, longestRetry, unsupportedRetry, healthCheck, lasts);
    }
}
