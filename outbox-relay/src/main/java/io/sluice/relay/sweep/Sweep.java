package io.sluice.relay.sweep;

import com.azure.cosmos.CosmosAsyncContainer;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.program.FailureReason;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

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
    private static final int MOST_SUSPECTS = 2;
    /** Without a page, beyond the interval between two sweeps. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final SweepQuery query;
    private final FoundSources delivery;
    private final Ranges ranges;
    private final Rhythm rhythm;
    private final Duration ofOthers;
    private final SweepTurns turns;
    private final SweepRound round;
    private final Loop watch;
    /** Ranges whose latest request failed wait for few threads: each may wait long for its answer again. */
    private final Semaphore suspects = new Semaphore(MOST_SUSPECTS);

    private final Map<KeyRange, RangeSweep> own = new ConcurrentHashMap<>();
    private final Map<KeyRange, RangeSweep> others = new ConcurrentHashMap<>();
    private long othersSweptMillis;
    private volatile long startedMillis;
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
     * What is swept beside the ranges that this replica reads.
     *
     * @param all the present partitions of the service; a request
     * @param isAssigned whether it is known which ranges are this replica's; it sweeps all while it is not
     * @param orphans those of replicas that have died, which this one sweeps until others have taken them
     */
    public record Ranges(Supplier<List<KeyRange>> all, BooleanSupplier isAssigned, Supplier<Set<KeyRange>> orphans) {}

    /** A sweep of a store; asks nothing yet. */
    public Sweep(CosmosAsyncContainer container, FoundSources delivery, Ranges ranges, Rhythm rhythm) {
        this.query = new SweepQuery(container);
        this.delivery = delivery;
        this.ranges = ranges;
        this.rhythm = rhythm;
        this.ofOthers = rhythm.interval().multipliedBy(OF_OTHERS_EVERY);
        this.turns = new SweepTurns(this::step, rhythm.drainTimeout());
        this.round = new SweepRound(delivery);
        this.watch = new Loop("sluice-sweep-others", this::watchOthers, rhythm.drainTimeout());
        this.othersSweptMillis = rhythm.clock().millis();
    }

    /** Begins with ranges as they are taken over, and with all if it is not known whose they are. */
    public void start() {
        isStarted = true;
        startedMillis = rhythm.clock().millis();
        own.keySet().forEach(range -> turns.within(range, Duration.ZERO));
        watch.start();
    }

    @Override
    public void taken(KeyRange range) {
        own.computeIfAbsent(range, this::sweep);
        others.remove(range);
        missed(range, Duration.ZERO);
    }

    private RangeSweep sweep(KeyRange range) {
        return new RangeSweep(range, query, delivery, rhythm.interval(), rhythm.clock());
    }

    @Override
    public void onChange(KeyRange range, List<JsonNode> documents) {
        if (!delivery.enqueueChanged(documents)) {
            missed(range, RangeSweep.REST);
        }
    }

    private void missed(KeyRange range, Duration within) {
        var sweep = own.get(range);
        if (sweep != null) {
            sweep.missed();
            if (isStarted) {
                turns.within(range, within);
            }
        }
    }

    @Override
    public void givenAway(KeyRange range) {
        own.remove(range);
        round.leave(range);
    }

    /**
     * Sweeps what is not this replica's: now and then, and again and again while nobody knows whose it is or its owner
     * has died, since a range that is nobody's shows new intents to nobody.
     */
    private Duration watchOthers() {
        boolean isAssigned = ranges.isAssigned().getAsBoolean();
        if (longestSince(startedMillis).compareTo(UNTIL_ASSIGNED) < 0) {
            return RangeSweep.REST;
        }
        if (isAssigned && longestSince(othersSweptMillis).compareTo(ofOthers) < 0) {
            sweepOrphans();
            return RangeSweep.REST;
        }
        othersSweptMillis = rhythm.clock().millis();
        var gaps = KeyRange.gaps(own.keySet());
        var wanted = ranges.all().get().stream()
                .filter(range -> gaps.stream().anyMatch(range::overlaps))
                .collect(Collectors.toSet());
        others.keySet().retainAll(wanted);
        wanted.forEach(this::sweepOfOthers);
        return RangeSweep.REST;
    }

    private void sweepOrphans() {
        var orphans = new HashSet<>(ranges.orphans().get());
        // What this replica was just given is told a moment later to be no orphan.
        orphans.removeAll(own.keySet());
        others.values()
                .removeIf(sweep -> own.containsKey(sweep.range())
                        || (!orphans.contains(sweep.range()) && sweep.found() != null && !sweep.isUnderWay()));
        orphans.forEach(this::sweepOfOthers);
    }

    private void sweepOfOthers(KeyRange range) {
        others.computeIfAbsent(range, this::sweep);
        turns.within(range, Duration.ZERO);
    }

    /** There are other orphans: those of them that are this replica's to sweep are swept at once. */
    public void orphansChanged() {
        watch.wakeUp();
    }

    /** The ranges whose new intents this replica learns of as they are written. */
    public Set<KeyRange> own() {
        return Set.copyOf(own.keySet());
    }

    /** The sweeps that this replica answers for. */
    private Stream<RangeSweep> sweeps() {
        return Stream.concat(own.values().stream(), others.values().stream());
    }

    /** What the latest sweeps found; null before each range was swept once. */
    public @Nullable Found found() {
        var sum = Found.NOTHING;
        for (var range : sweeps().toList()) {
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
        return longestSince(sweeps().mapToLong(RangeSweep::endedMillis).min().orElse(Long.MAX_VALUE));
    }

    private Duration longestSince(long millis) {
        return Duration.ofMillis(Math.max(0, rhythm.clock().millis() - millis));
    }

    /** Why what the feed no longer shows is not found; null when all is well. */
    public @Nullable String problem() {
        var longest = rhythm.interval().plus(PATIENCE);
        var stuck = sweeps().filter(
                        range -> longestSince(range.progressMillis()).compareTo(longest) >= 0)
                .map(range -> range.range().name())
                .sorted()
                .toList();
        return stuck.isEmpty()
                ? null
                : "intents: the sweep of " + stuck.size() + " ranges has come no further for " + longest.toMinutes()
                        + " minutes, the first is " + stuck.get(0);
    }

    /** A turn of a range; returns how long until its next, null for those of others, whose turns come by the watch. */
    private @Nullable Duration step(KeyRange range) {
        var ofOwn = own.get(range);
        var sweep = ofOwn == null ? others.get(range) : ofOwn;
        if (sweep == null) {
            return null;
        }
        boolean isSuspect = sweep.hasFailed();
        if (isSuspect && !suspects.tryAcquire()) {
            return REST_AFTER_FAILURE;
        }
        round.begin(own.keySet(), rhythm.clock().millis());
        try {
            var next = sweep.step();
            if (sweep.found() != null) {
                round.swept(range, sweep.countedMillis());
            }
            return ofOwn != null || sweep.isUnderWay() ? next : null;
        } catch (RuntimeException e) {
            report(range, sweep.failed(), e);
            return REST_AFTER_FAILURE;
        } finally {
            if (isSuspect) {
                suspects.release();
            }
        }
    }

    private static void report(KeyRange range, int failures, RuntimeException e) {
        LOG.atLevel(failures == 1 ? Level.WARN : Level.DEBUG)
                .addKeyValue(LogKeys.RANGE, range.name())
                .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                .log("undelivered intents of a range can't be searched for, the relay will try again");
        LOG.atDebug().addKeyValue(LogKeys.RANGE, range.name()).setCause(e).log("why a range can't be searched");
    }

    @Override
    public void close() {
        watch.close();
        turns.close();
    }
}
