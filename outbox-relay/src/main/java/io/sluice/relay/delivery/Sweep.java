package io.sluice.relay.delivery;

import com.azure.cosmos.CosmosAsyncContainer;
import io.sluice.provider.cosmos.StoreSweep;
import io.sluice.relay.feed.SweepRanges;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches for what the feed no longer shows: intents whose change was read by a process that died, and parked ones;
 * and also turns and deletions that were left behind, and old receipts. However many intents there are, they are found
 * page by page, no faster than they are delivered; a page that fails is asked for again and those before it are not.
 */
public final class Sweep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
    /** While the leases are being shared out. */
    private static final Duration SHORT_REST = Duration.ofSeconds(3);

    private static final Duration ROOM_CHECK = Duration.ofSeconds(1);
    /** Whatever the leases say, so often the whole store is swept. */
    private static final int ALL_EVERY = 10;
    /** Without a page, beyond the interval between two sweeps. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final SweepQuery query;
    private final IntentDelivery delivery;
    private final Supplier<SweepRanges> ranges;
    private final StoreSweep unfinished;
    private final Duration interval;
    private final InstantSource clock;
    private final Loop loop;
    private final Loop unfinishedLoop;
    private @Nullable SweepPass pass;
    private int passes;
    private volatile boolean closed;
    private volatile @Nullable Found found;
    private volatile long endedMillis;
    private volatile long progressMillis;

    /**
     * Undelivered intents of the part of the store that this replica sweeps.
     *
     * @param pending never refused
     * @param retrying refused at least once, to be tried again
     */
    public record Found(int pending, int retrying) {}

    /**
     * A sweep of a store.
     *
     * @param ranges asked at the beginning of every sweep for the parts of the store to query
     */
    public Sweep(
            CosmosAsyncContainer container,
            IntentDelivery delivery,
            Supplier<SweepRanges> ranges,
            StoreSweep unfinished,
            Rhythm rhythm) {
        this.query = new SweepQuery(container);
        this.delivery = delivery;
        this.ranges = ranges;
        this.unfinished = unfinished;
        this.interval = rhythm.interval();
        this.clock = rhythm.clock();
        this.loop = new Loop("sluice-sweep", this::step, rhythm.drainTimeout());
        this.unfinishedLoop = new Loop("sluice-unfinished", this::finish, rhythm.drainTimeout());
        this.endedMillis = clock.millis();
        this.progressMillis = endedMillis;
    }

    /**
     * When it sweeps.
     *
     * @param interval between two sweeps
     * @param drainTimeout how long closing waits for the page under way
     */
    public record Rhythm(Duration interval, Duration drainTimeout, InstantSource clock) {}

    /** Sweeps once, and then after every interval. */
    public void start() {
        loop.start();
        unfinishedLoop.start();
    }

    /** What the latest sweep found; null before the end of the first. */
    public @Nullable Found found() {
        return found;
    }

    /** Since the latest sweep came to its end, or since the start. */
    public Duration age() {
        return Duration.ofMillis(Math.max(0, clock.millis() - endedMillis));
    }

    /** Why what the feed no longer shows is not found; null when all is well. */
    public @Nullable String problem() {
        var silence = Duration.ofMillis(clock.millis() - progressMillis);
        return silence.compareTo(interval.plus(PATIENCE)) < 0
                ? null
                : "intents: the sweep has come no further for " + silence.toMinutes() + " minutes";
    }

    private Duration step() throws InterruptedException {
        var current = pass;
        if (current == null) {
            current = new SweepPass(++passes % ALL_EVERY == 0 ? SweepRanges.ALL : ranges.get());
            delivery.beginSweep();
        }
        pass = current;
        while (!current.isAtEnd()) {
            boolean hasRoom = delivery.awaitRoom(ROOM_CHECK);
            if (closed) {
                return Duration.ZERO;
            }
            if (hasRoom) {
                query.pages(current, this::swept);
            } else if (delivery.isPaused()) {
                progressMillis = clock.millis();
            }
        }
        pass = null;
        ended(current);
        return current.isSettled() || interval.compareTo(SHORT_REST) < 0 ? interval : SHORT_REST;
    }

    /** Whether the next page is to be read at once. */
    private boolean swept(SweepPass.Page page) throws InterruptedException {
        progressMillis = clock.millis();
        return delivery.enqueueSwept(page.sources()) && !closed;
    }

    private void ended(SweepPass ended) {
        delivery.endSweep();
        endedMillis = clock.millis();
        progressMillis = endedMillis;
        found = new Found(ended.pending(), ended.retrying());
        if (ended.pending() + ended.retrying() > 0) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.COUNT, ended.pending() + ended.retrying())
                    .log("undelivered intents found by the sweep");
        }
    }

    private Duration finish() {
        int finished = unfinished.finishTurns() + unfinished.finishDeletions();
        if (finished > 0) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.COUNT, finished)
                    .log("turns and deletions that others left behind finished");
        }
        unfinished.removeOldReceipts();
        return interval;
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
        unfinishedLoop.close();
    }
}
