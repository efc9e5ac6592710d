package io.sluice.relay.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.sweep.Sweep.Found;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps one key range, again and again: at once when something may have been missed, once more when all copies of the
 * store have what they lacked then, and after every interval. However many intents there are, they are found page by
 * page, no faster than they are delivered; a page that fails is asked for again and those before it are not.
 *
 * <p>{@link #step} belongs to one thread at a time, the rest may come from any.
 */
final class RangeSweep {
    private static final Logger LOG = LoggerFactory.getLogger(RangeSweep.class);
    /** Longer than a copy of the store lags behind: a query has no session, so it may be answered by any. */
    private static final Duration COPIES_LAG = Duration.ofSeconds(15);
    /** Between two sweeps while intents are dropped. */
    static final Duration REST = Duration.ofSeconds(2);

    private static final Duration ROOM_CHECK = Duration.ofMillis(200);
    private static final int SWEEPS_UNTIL_CLEAN = 2;
    /** In a row, after which a sweep begins anew. */
    private static final int MOST_FAILURES = 5;
    /** A turn may come a little early. */
    private static final long EARLY_MILLIS = 100;

    private final KeyRange range;
    private final SweepQuery query;
    private final FoundSources delivery;
    private final Duration interval;
    private final InstantSource clock;

    private @Nullable Pass pass;
    private int sweepsLeft = SWEEPS_UNTIL_CLEAN;
    private int misses;
    private int failures;
    private @Nullable Found found;
    private long endedMillis;
    private long countedMillis;
    private long progressMillis;

    /** A pass over the range. */
    private static final class Pass {
        private final SweepQuery.Wanted wanted;
        private final long begunMillis;
        private final int missesBefore;
        private @Nullable String continuation;
        private boolean isAtEnd;
        private int pending;
        private int retrying;

        private Pass(SweepQuery.Wanted wanted, long begunMillis, int missesBefore) {
            this.wanted = wanted;
            this.begunMillis = begunMillis;
            this.missesBefore = missesBefore;
        }

        /** Takes a page over. */
        private void read(List<JsonNode> rows, @Nullable String next) {
            int again = (int) rows.stream()
                    .filter(row -> row.path("attemptCount").asLong() > 0)
                    .count();
            retrying += again;
            pending += rows.size() - again;
            continuation = next;
            isAtEnd = next == null;
        }
    }

    RangeSweep(KeyRange range, SweepQuery query, FoundSources delivery, Duration interval, InstantSource clock) {
        this.range = range;
        this.query = query;
        this.delivery = delivery;
        this.interval = interval;
        this.clock = clock;
        this.countedMillis = clock.millis();
        this.endedMillis = countedMillis;
        this.progressMillis = countedMillis;
    }

    KeyRange range() {
        return range;
    }

    /** Something may have been missed until now. */
    synchronized void missed() {
        misses++;
        sweepsLeft = SWEEPS_UNTIL_CLEAN;
    }

    /** What the latest whole pass found; null before the end of the first. */
    synchronized @Nullable Found found() {
        return found;
    }

    /** When a pass has ended last, or this was made. */
    synchronized long endedMillis() {
        return endedMillis;
    }

    /** When a page was read last, or this was made. */
    synchronized long progressMillis() {
        return progressMillis;
    }

    /** When the sweep began that counted last what there is; or when this was made. */
    synchronized long countedMillis() {
        return countedMillis;
    }

    /** Whether a sweep has begun and not come to its end. */
    synchronized boolean isUnderWay() {
        return pass != null;
    }

    /**
     * Reads on, until the sweep has ended or delivery has no room.
     *
     * @return how long until the next step
     * @throws RuntimeException when the store can't be read; the next step asks for the same page
     */
    Duration step() {
        var current = begun();
        // To wait for room is no standstill of the sweep.
        progressed();
        if (!delivery.hasRoom()) {
            return ROOM_CHECK;
        }
        query.pages(current.wanted, current.continuation, (rows, next) -> {
            progressed();
            if (!delivery.enqueueSwept(sources(rows))) {
                return false;
            }
            current.read(rows, next);
            return delivery.hasRoom();
        });
        succeeded();
        return current.isAtEnd ? ended(current) : REST;
    }

    private static Set<String> sources(List<JsonNode> rows) {
        return rows.stream().map(row -> row.path("instanceId").asText()).collect(Collectors.toSet());
    }

    /**
     * A step failed; returns how often in a row. A continuation that is refused again and again is given up: the sweep
     * begins anew.
     */
    synchronized int failed() {
        failures++;
        if (failures % MOST_FAILURES == 0) {
            pass = null;
        }
        return failures;
    }

    /** Whether the latest step failed. */
    synchronized boolean hasFailed() {
        return failures > 0;
    }

    private synchronized void progressed() {
        progressMillis = clock.millis();
    }

    private synchronized void succeeded() {
        failures = 0;
    }

    private synchronized Pass begun() {
        var current = pass;
        if (current == null) {
            long now = clock.millis();
            // A pass over all of them counts them; one between two of these asks for those only that can be delivered.
            boolean isToCount = found == null || now - countedMillis >= interval.toMillis() - EARLY_MILLIS;
            current = new Pass(new SweepQuery.Wanted(range, isToCount ? null : (Long) now), now, misses);
            pass = current;
        }
        return current;
    }

    /** Returns how long until the next pass. */
    private synchronized Duration ended(Pass ended) {
        if (pass == ended) {
            pass = null;
            endedMillis = clock.millis();
            if (ended.wanted.dueAtMillis() == null) {
                found = new Found(ended.pending, ended.retrying);
                countedMillis = ended.begunMillis;
                report(found);
            }
            if (ended.missesBefore == misses) {
                sweepsLeft = Math.max(0, sweepsLeft - 1);
            }
        }
        return shorter(interval, sweepsLeft == 0 ? interval : sweepsLeft == 1 ? COPIES_LAG : REST);
    }

    private void report(Found counted) {
        if (counted.pending() + counted.retrying() > 0) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.RANGE, range.name())
                    .addKeyValue(LogKeys.COUNT, counted.pending() + counted.retrying())
                    .log("undelivered intents found by the sweep");
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
