package io.sluice.relay.dispatch;

import io.sluice.relay.dispatch.DispatchMeters.Source;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Queries one range ahead of time: finds messages and activities that become visible soon or whose locks expire soon,
 * and announces them with their times. The first lookahead takes everything that is overdue: nobody knows what the
 * owner before has announced. Every five minutes it announces again what has been overdue for a minute, however that
 * came about. After work was dropped that Kafka did not take, it first finds out whether Kafka takes some again. On a
 * thread of its own, so that it holds up no history.
 */
final class Lookahead implements AutoCloseable {
    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
    private static final long OVERDUE_EVERY_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final long OVERDUE_FOR_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final RangeWork work;
    private final KeyRange bounds;
    private final LookaheadQuery query;
    private final DispatchMeters meters;
    private final Rhythm rhythm;
    private final Loop loop;
    private long overdueLookAt;

    /**
     * When it queries.
     *
     * @param interval between two queries
     * @param clock the store's time
     */
    record Rhythm(Duration interval, InstantSource clock) {
        /** A query sees twice as far as the next one is away, so that the horizon does not pass. */
        long windowMillis() {
            return interval.toMillis() * 2;
        }
    }

    Lookahead(RangeWork work, KeyRange bounds, LookaheadQuery query, DispatchMeters meters, Rhythm rhythm) {
        this.work = work;
        this.bounds = bounds;
        this.query = query;
        this.meters = meters;
        this.rhythm = rhythm;
        work.onDropped(this::wakeUp);
        this.loop = new Loop("sluice-lookahead-" + work.name(), this::step, CLOSE_TIMEOUT);
    }

    void start() {
        loop.start();
    }

    /** Queries once; a failed query is repeated soon by the loop, and raises no horizon. */
    Duration step() throws InterruptedException {
        var clock = rhythm.clock();
        long beganNanos = System.nanoTime();
        boolean done = false;
        try {
            work.tryDropped();
            long beganAt = clock.millis();
            var window = work.horizon().beginLook(beganAt);
            query.pages(bounds, window, rows -> work.announceFound(rows, clock.millis()));
            work.horizon().endLook(window, beganAt);
            lookForOverdue(beganAt);
            done = true;
        } finally {
            if (!done) {
                meters.failed(Source.LOOKAHEAD);
            }
        }
        meters.lookaheadEnded(System.nanoTime() - beganNanos);
        long wait = Math.min(rhythm.interval().toMillis(), work.horizon().waitMillis(clock.millis()));
        return Duration.ofMillis(Math.max(SHORTEST_INTERVAL.toMillis(), wait));
    }

    /** The first lookahead has taken all of it. */
    private void lookForOverdue(long now) throws InterruptedException {
        if (overdueLookAt != 0) {
            if (now - overdueLookAt < OVERDUE_EVERY_MILLIS) {
                return;
            }
            query.overdue(
                    bounds,
                    now - OVERDUE_FOR_MILLIS,
                    rows -> work.announceFound(rows, rhythm.clock().millis()));
        }
        overdueLookAt = now;
    }

    private void wakeUp() {
        loop.wakeUp();
    }

    @Override
    public void close() {
        loop.close();
    }
}
