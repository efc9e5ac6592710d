package io.sluice.provider.kafka;

import java.time.Duration;

/** Reads one topic with one client. {@link #wakeup} may come from any thread, everything else from one. */
interface TopicReader {
    /** Reads some records, or waits for less than a second. */
    void step();

    /** Whether it has its place: records that are sent from now on will be read. */
    boolean isReady();

    /** Whether it has nothing left to do: another one is opened in its place. */
    default boolean isDone() {
        return false;
    }

    /** Ends the step in progress early, by a {@link org.apache.kafka.common.errors.WakeupException}. */
    void wakeup();

    /** Commits what was handled and closes the client. */
    void close(Duration timeout);
}
