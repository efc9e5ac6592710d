package io.sluice.relay.sweep;

import com.azure.cosmos.CosmosAsyncContainer;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.program.FailureReason;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the intents of a store. New ones are shown by the change feed: whoever reads a range tells this listener. What
 * the feed shows no more is found by sweeps, which are queries: intents that a reader had in hand when it died, those
 * that were dropped for want of room, and parked ones. So a range is swept at once when this replica takes it over,
 * once more when all copies of the store have what they lacked then, whenever an intent of it was dropped, and after
 * every interval. What is weaker than that is in {@code docs/protocols/clean_ranges.md}.
 *
 * <p>Each range has turns of its own: one that can't be read holds up no other.
 */
public final class Sweep implements ChangeListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
    /** In intervals: how often a range is swept that other replicas sweep. */
    private static final int OF_OTHERS_EVERY = 10;
    /** Until then the group has mostly said which ranges are this replica's. */
    private static final Duration UNTIL_ASSIGNED = Duration.ofSeconds(5);

    private static final Duration REST_AFTER_FAILURE = Duration.ofSeconds(1);
    /** Without a page, beyond the interval between two sweeps. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final FoundSources delivery;
    private final Map<KeyRange, RangeSweep> ranges;
    private final BooleanSupplier isAssigned;
    private final Rhythm rhythm;
    private final Duration ofOthers;
    private final SweepTurns turns;
    private final SweepRound round;
    private final Set<KeyRange> own = ConcurrentHashMap.newKeySet();
    private volatile boolean isStarted;

    /**
     * Undelivered intents of the ranges that this replica sweeps.
     *
     * @param pending never refused
     * @param retrying refused at least once, to be tried again
     */
    public record Found(int pending, int retrying) {
        private static final Found NOTHING = new Found(0, 0);

        private Found plus(Found other) {
            return new Found(pending + other.pending, retrying + other.retrying);
        }
    }

    /**
     * When it sweeps.
     *
     * @param interval between two sweeps of a range
     * @param drainTimeout how long closing waits for the pages under way
     */
    public record Rhythm(Duration interval, Duration drainTimeout, InstantSource clock) {}

    /**
     * Whose ranges are whose.
     *
     * @param all that the store is cut into
     * @param isAssigned whether it is known which of them are this replica's; it sweeps all while it is not
     */
    public record Ranges(List<KeyRange> all, BooleanSupplier isAssigned) {}

    /** A sweep of a store; asks nothing yet. */
    public Sweep(CosmosAsyncContainer container, FoundSources delivery, Ranges ranges, Rhythm rhythm) {
        var query = new SweepQuery(container);
        this.delivery = delivery;
        this.ranges = ranges.all().stream()
                .map(range -> new RangeSweep(range, query, delivery, rhythm.interval(), rhythm.clock()))
                .collect(Collectors.toMap(RangeSweep::range, Function.identity()));
        this.isAssigned = ranges.isAssigned();
        this.rhythm = rhythm;
        this.ofOthers = rhythm.interval().multipliedBy(OF_OTHERS_EVERY);
        this.turns = new SweepTurns(this::step, rhythm.drainTimeout());
        this.round = new SweepRound(delivery);
    }

    /** Begins with ranges as they are taken over, and with all after a while if none is. */
    public void start() {
        isStarted = true;
        ranges.keySet().forEach(range -> turns.within(range, own.contains(range) ? Duration.ZERO : UNTIL_ASSIGNED));
    }

    @Override
    public void taken(KeyRange range) {
        own.add(range);
        missed(range, Duration.ZERO);
    }

    @Override
    public void onChange(KeyRange range, List<JsonNode> documents) {
        if (!delivery.enqueueChanged(documents)) {
            missed(range, RangeSweep.REST);
        }
    }

    private void missed(KeyRange range, Duration within) {
        of(range).missed();
        if (isStarted) {
            turns.within(range, within);
        }
    }

    @Override
    public void givenAway(KeyRange range) {
        own.remove(range);
        of(range).rest();
        round.leave(range);
    }

    private RangeSweep of(KeyRange range) {
        return Optional.ofNullable(ranges.get(range))
                .orElseThrow(() -> new IllegalArgumentException(range + " is no range of the store"));
    }

    private boolean isOwn(KeyRange range) {
        return own.contains(range) || !isAssigned.getAsBoolean();
    }

    private List<RangeSweep> own() {
        return ranges.values().stream().filter(range -> isOwn(range.range())).toList();
    }

    /** What the latest sweeps found; null before each range was swept once. */
    public @Nullable Found found() {
        var sum = Found.NOTHING;
        for (var range : own()) {
            var found = range.found();
            if (found == null) {
                return null;
            }
            sum = sum.plus(found);
        }
        return sum;
    }

    /** Since a sweep of the range that was swept longest ago came to its end. */
    public Duration age() {
        return longestSince(
                own().stream().mapToLong(RangeSweep::endedMillis).min().orElse(Long.MAX_VALUE));
    }

    private Duration longestSince(long millis) {
        return Duration.ofMillis(Math.max(0, rhythm.clock().millis() - millis));
    }

    /** Why what the feed no longer shows is not found; null when all is well. */
    public @Nullable String problem() {
        var stuck = own().stream()
                .filter(range -> longestSince(range.progressMillis())
                                .compareTo(rhythm.interval().plus(PATIENCE))
                        >= 0)
                .map(range -> range.range().toString())
                .sorted()
                .toList();
        return stuck.isEmpty()
                ? null
                : "intents: the sweep of " + stuck.size() + " of " + ranges.size() + " ranges has come no further for "
                        + rhythm.interval().plus(PATIENCE).toMinutes() + " minutes, the first is " + stuck.get(0);
    }

    /** A turn of a range; returns how long until its next. */
    private Duration step(KeyRange range) throws InterruptedException {
        var sweep = of(range);
        if (!isOwn(range) && longestSince(sweep.countedMillis()).compareTo(ofOthers) < 0) {
            sweep.idle();
            return RangeSweep.REST;
        }
        round.begin(
                own().stream().map(RangeSweep::range).toList(), rhythm.clock().millis());
        try {
            var next = sweep.step();
            if (sweep.found() != null) {
                round.swept(range, sweep.countedMillis());
            }
            // A range that is nobody's shows new intents to nobody, and whose it is may change at any time.
            return own.contains(range) || sweep.isUnderWay() ? next : RangeSweep.REST;
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.RANGE, range)
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("undelivered intents of a range can't be searched for, the relay will try again");
            LOG.atDebug().addKeyValue(LogKeys.RANGE, range).setCause(e).log("why a range can't be searched");
            return REST_AFTER_FAILURE;
        }
    }

    @Override
    public void close() {
        turns.close();
    }
}
