package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the change feed processor running and its leases sound. Leases distribute the feed between replicas. A loop
 * checks them: the processor reports no error if a lease is missing, corrupt or not renewed, so it is restarted then.
 */
public final class IntentFeed implements AutoCloseable {
    /** How often the leases are checked. */
    public static final Duration CHECK_INTERVAL = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(IntentFeed.class);
    private static final Duration LEASE_NEGLECTED_AFTER = IntentProcessor.LEASE_EXPIRATION.multipliedBy(3);
    /** Well below the time from a renewal to the expiry: two replicas within it agree on which leases are alive. */
    private static final Duration MAX_CLOCK_OFFSET = Duration.ofSeconds(3);

    private final IntentProcessor processor;
    private final LeaseDocuments documents;
    private final ServiceTime time;
    private final Duration checkInterval;
    private final Loop loop;

    /** Whether this replica takes no leases, because its clock is wrong and other replicas take them. */
    private volatile boolean isLeftToOthers;

    private boolean started;

    private volatile Instant startedAt = Instant.MAX;
    /** Why the leases could not be read at the latest check. */
    private volatile @Nullable String unreadable;

    private volatile LeaseReport leases = new LeaseReport(List.of(), List.of(), List.of());

    /**
     * Reads nothing yet.
     *
     * @param time by which the age of leases is measured
     * @param checkInterval between two checks of the leases
     */
    public IntentFeed(IntentProcessor processor, ServiceTime time, Duration checkInterval) {
        this.processor = processor;
        this.documents = processor.leases();
        this.time = time;
        this.checkInterval = checkInterval;
        this.loop = new Loop("sluice-lease-watch", this::check, processor.drainTimeout());
    }

    /**
     * Starts the processor, which creates the leases at the first start.
     *
     * @throws PrerequisiteException if that fails or takes too long
     */
    public synchronized void start() {
        if (!started) {
            isLeftToOthers = isForOthers(documents.leases());
            if (!isLeftToOthers) {
                startProcessor();
            }
            started = true;
            loop.start();
        }
    }

    private void startProcessor() {
        processor.start();
        startedAt = time.clock().instant();
    }

    /**
     * The processor compares the times that other replicas write into their leases with its machine's clock. With a
     * wrong clock it would always take leases from their owners, or lose its own to other replicas; so it takes none
     * while other replicas take them. A wrong clock does no harm if this replica is the only one.
     */
    private boolean isForOthers(List<JsonNode> leases) {
        var since = time.clock().instant().minus(IntentProcessor.LEASE_EXPIRATION);
        return time.isOffBy(MAX_CLOCK_OFFSET) && LeaseReport.hasOtherOwner(leases, processor.owner(), since);
    }

    /**
     * Why the feed is not fully read.
     *
     * @return empty if all is well, as far as known; ranges that no replica reads are found within a minute
     */
    public List<String> problems() {
        var problems = new ArrayList<String>();
        if (isLeftToOthers) {
            problems.add("this machine's clock is wrong by "
                    + time.offset().get().abs().toSeconds()
                    + " s: the leases are left to other replicas until it is right");
        } else if (!processor.isRunning()) {
            problems.add("the change feed processor has ended");
        }
        var reason = unreadable;
        if (reason != null) {
            problems.add("the leases can't be read, so intents may be found by the sweep only, late: " + reason
                    + "; if their container is missing, run provision");
        }
        problems.addAll(leases.problems());
        return problems;
    }

    /**
     * The key ranges that this replica sweeps. One request to the lease container.
     *
     * @return all if the leases can't be read: sweeping a range twice is only extra work
     */
    public SweepRanges sweptRanges() {
        try {
            return SweepRanges.of(
                    documents.leases(), processor.owner(), time.clock().instant(), LEASE_NEGLECTED_AFTER);
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("the leases of the change feed can't be read, so the sweep covers the whole store");
            return SweepRanges.ALL;
        }
    }

    private Duration check() throws InterruptedException {
        var found = readLeases();
        var report = LeaseReport.of(found, time.clock().instant(), LEASE_NEGLECTED_AFTER);
        leases = hadTime() ? report : new LeaseReport(report.gaps(), List.of(), report.corrupt());
        if (isForOthers(found)) {
            leaveToOthers();
        } else if (isLeftToOthers || !leases.isWell() || !processor.isRunning()) {
            LOG.atWarn()
                    .addKeyValue("gaps", leases.gaps())
                    .addKeyValue("neglected", leases.neglected())
                    .addKeyValue("corrupt", leases.corrupt())
                    .log(
                            "leases of the change feed are missing, expired, corrupt or not taken: the change feed processor is restarted");
            restart(!leases.gaps().isEmpty());
        }
        return checkInterval;
    }

    private List<JsonNode> readLeases() {
        try {
            var found = documents.leases();
            unreadable = null;
            return found;
        } catch (RuntimeException e) {
            unreadable = FailureReason.of(e);
            throw e;
        }
    }

    /** A processor that has just started takes the leases that others left one by one, so they may be old still. */
    private boolean hadTime() {
        return startedAt.isBefore(time.clock().instant().minus(LEASE_NEGLECTED_AFTER));
    }

    private synchronized void leaveToOthers() throws InterruptedException {
        isLeftToOthers = true;
        if (processor.isStarted()) {
            LOG.atWarn()
                    .addKeyValue("offsetMillis", time.offset().get().toMillis())
                    .log(
                            "this machine's clock is wrong, so this replica leaves the leases of the change feed to others");
            processor.stop();
        }
    }

    private synchronized void restart(boolean createLeases) throws InterruptedException {
        if (!started) {
            return; // closed meanwhile
        }
        processor.stop();
        isLeftToOthers = false;
        if (createLeases) {
            documents.removeCreationMarkers();
        }
        startProcessor();
    }

    /** Stops the loop and the processor, and waits for the leases to be released. */
    @Override
    public void close() {
        loop.close();
        synchronized (this) {
            started = false;
            isLeftToOthers = false;
            try {
                processor.stop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
