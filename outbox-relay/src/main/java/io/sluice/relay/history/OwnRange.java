package io.sluice.relay.history;

import io.sluice.relay.feed.FallbackPoller;
import io.sluice.relay.loop.Loop;
import io.sluice.relay.loop.Threads;
import java.time.Duration;

/**
 * A range of this replica: it is published, and while that is behind its newest changes are read. Started and stopped
 * by one thread; {@link #status} may be called by any.
 */
final class OwnRange {
    private final RangeFeed feed;
    private final RangePublisher publisher;
    private final Thread thread;
    private final Loop poller;

    /** Reads nothing yet. */
    OwnRange(RangeFeed feed, RangePublisher publisher, FallbackPoller poller) {
        var range = feed.range().name();
        this.feed = feed;
        this.publisher = publisher;
        this.thread = new Thread(publisher, "sluice-history-" + range);
        thread.setDaemon(true);
        this.poller = new Loop("sluice-fallback-poller-" + range, poller::step, Duration.ZERO);
    }

    void start() {
        // Before Kafka lets it publish: intents need the store alone.
        feed.begin();
        thread.start();
        poller.start();
    }

    RangeStatus status() {
        return publisher.status();
    }

    /** Whether the publisher has ended and may begin again; one that refused its position, or was split, may not. */
    boolean hasEnded() {
        var state = publisher.status().state();
        return !thread.isAlive() && state != RangeState.REFUSED && state != RangeState.SPLIT;
    }

    /** Asks it to end after the page under way. */
    void stop() {
        publisher.stop();
        poller.stop();
    }

    /** The range is somebody else's; waits for the page under way, and returns whether it has ended in time. */
    boolean end(Duration atMost) {
        feed.end();
        return Threads.join(thread, atMost);
    }
}
