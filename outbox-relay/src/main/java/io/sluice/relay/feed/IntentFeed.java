package io.sluice.relay.feed;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.relay.control.PrerequisiteException;
import io.sluice.relay.log.FailureReason;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Loop;
import io.sluice.relay.loop.StopRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the SDK's change feed processor: passes every page to delivery and waits until the sources of the page were
 * drained, so that the page is checkpointed only then. Leases distribute the feed between replicas.
 *
 * <p>The processor's delay between looks is fixed when it takes a lease, so this reader always looks at the idle pace;
 * the pull readers of the history notify the same listener at their faster one.
 */
public final class IntentFeed implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IntentFeed.class);
    /**
     * Each renewal is a read and a write of a lease. Meanwhile the pull readers of the history show what is new to
     * whichever replica has them.
     */
    private static final Duration LEASE_EXPIRATION = Duration.ofSeconds(18);

    private static final Duration LEASE_RENEWAL = Duration.ofSeconds(6);
    private static final Duration LEASE_ACQUISITION = Duration.ofSeconds(3);
    /** The processor looks every 15 s whether another replica has made the leases, whose lock lasts 30 s. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

    private static final Duration PAGE_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration RELEASE_CHECK = Duration.ofMillis(50);
    private static final Duration LEASE_NEGLECTED_AFTER = LEASE_EXPIRATION.multipliedBy(3);
    /**
     * Well below what lies between a renewal and the expiry: two replicas within it agree on which leases are alive.
     */
    private static final Duration MAX_CLOCK_OFFSET = Duration.ofSeconds(3);

    private final FeedClient client;
    private final String owner;
    private final Function<List<JsonNode>, CompletableFuture<Void>> deliver;
    private final Settings settings;
    private final ServiceTime time;
    private final LeaseDocuments documents;
    private final Loop watch;
    /**
     * Changed under the monitor, which a restart holds for minutes; read without, so that {@link #troubles} never waits
     * for a repair.
     */
    private volatile @Nullable ChangeFeedProcessor processor;

    private volatile boolean isLeftToOthers;
    private volatile Instant startedAt = Instant.MAX;
    /** Why the latest look at the leases failed. */
    private volatile @Nullable String unreadable;

    private volatile LeaseReport leases = new LeaseReport(List.of(), List.of(), List.of());

    /**
     * How the feed is read.
     *
     * @param leasePrefix begins the ids of the leases; replicas that share them share the work
     * @param containerRid of the container read, which the leases are of
     * @param pageSize documents asked for at a time
     * @param rest between two looks
     * @param drainTimeout how long closing waits for the leases to be released
     * @param watch between two looks at the leases for what the processor doesn't tell
     */
    public record Settings(
            String leasePrefix,
            String containerRid,
            int pageSize,
            Duration rest,
            Duration drainTimeout,
            Duration watch) {}

    /**
     * Reads nothing yet.
     *
     * @param owner names this replica in its leases
     * @param deliver takes a page, whose documents are emptied when it returns; the page is done when what it returns
     *     completes
     * @param time by which leases are judged
     */
    public IntentFeed(
            FeedClient client,
            String owner,
            Function<List<JsonNode>, CompletableFuture<Void>> deliver,
            Settings settings,
            ServiceTime time) {
        this.time = time;
        this.client = client;
        this.owner = owner;
        this.deliver = deliver;
        this.settings = settings;
        this.documents = new LeaseDocuments(client.leases(), settings.leasePrefix(), settings.containerRid());
        this.watch = new Loop("sluice-lease-watch", this::watch, settings.drainTimeout());
    }

    /**
     * Makes the leases at the first start, and begins to take some.
     *
     * @throws PrerequisiteException when that fails or takes too long
     */
    public synchronized void start() {
        if (processor == null && !isLeftToOthers) {
            isLeftToOthers = isForOthers(documents.leases());
            if (!isLeftToOthers) {
                startProcessor();
            }
            watch.start();
        }
    }

    /**
     * The processor compares the times that other replicas note in their leases with its machine's clock. One whose
     * clock is wrong would take leases from those that have them, or lose its own to them, for ever; so it takes none
     * while others do. A wrong clock that is alone does no harm.
     */
    private boolean isForOthers(List<JsonNode> leases) {
        return time.isOffBy(MAX_CLOCK_OFFSET)
                && leases.stream().anyMatch(lease -> {
                    var holder = lease.path("Owner").asText("");
                    return !holder.isEmpty() && !holder.equals(owner) && isAlive(lease);
                });
    }

    private boolean isAlive(JsonNode lease) {
        return LeaseReport.writtenAt(lease).isAfter(time.clock().instant().minus(LEASE_EXPIRATION));
    }

    private void startProcessor() {
        var fresh = new ChangeFeedProcessorBuilder()
                .hostName(owner)
                .feedContainer(client.container())
                .leaseContainer(client.leases())
                .options(options())
                .handleLatestVersionChanges(this::handle)
                .buildChangeFeedProcessor();
        try {
            if (documents.removeCorrupt() > 0) {
                documents.forgetThatLeasesWereMade();
            }
            fresh.start().block(START_TIMEOUT);
        } catch (RuntimeException e) {
            throw new PrerequisiteException("can't start reading the change feed: " + FailureReason.of(e), e);
        }
        processor = fresh;
        startedAt = time.clock().instant();
    }

    private ChangeFeedProcessorOptions options() {
        return new ChangeFeedProcessorOptions()
                .setLeasePrefix(settings.leasePrefix())
                .setLeaseExpirationInterval(LEASE_EXPIRATION)
                .setLeaseRenewInterval(LEASE_RENEWAL)
                .setLeaseAcquireInterval(LEASE_ACQUISITION)
                .setFeedPollDelay(settings.rest())
                .setMaxItemCount(settings.pageSize())
                .setStartFromBeginning(true)
                .setLeaseVerificationEnabledOnRestart(true);
    }

    /** Throws to keep a page from being checkpointed: it is then shown again, here or elsewhere. */
    private void handle(List<ChangeFeedProcessorItem> items) {
        var documents = items.stream().map(ChangeFeedProcessorItem::getCurrent).toList();
        try {
            var looked = deliver.apply(documents);
            forget(documents);
            looked.get(PAGE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // Asked for and remembered; waiting on would only hold the lease's feed back.
            LOG.atWarn()
                    .addKeyValue(LogKeys.COUNT, documents.size())
                    .log(
                            "not all sources of a page of the change feed were drained in time, the feed goes on and they stay queued");
        } catch (ExecutionException e) {
            throw new IllegalStateException("a page was not worked off", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while working a page off", e);
        }
    }

    /** The processor holds them until their page is worked off, which may take long; nobody reads them any more. */
    private static void forget(List<JsonNode> documents) {
        documents.forEach(document -> {
            if (document instanceof ObjectNode node) {
                node.removeAll();
            }
        });
    }

    /**
     * What keeps the feed from being read fully.
     *
     * @return empty when all is well, as far as known; parts that no replica reads are found within a minute
     */
    public List<String> troubles() {
        var troubles = new ArrayList<String>();
        if (isLeftToOthers) {
            troubles.add("this machine's clock is wrong by "
                    + time.offset().get().abs().toSeconds()
                    + " s: the leases are left to other replicas until it is right");
        } else if (!isRunning()) {
            troubles.add("the change feed processor has ended");
        }
        var reason = unreadable;
        if (reason != null) {
            troubles.add("the leases can't be read, so intents may come by the sweep alone, late: " + reason
                    + "; where their container is missing, run provision");
        }
        leases.gaps().forEach(gap -> troubles.add("no lease for the key range " + gap.min() + " to " + gap.max()));
        leases.neglected().forEach(token -> troubles.add("nobody renews the lease " + token));
        leases.corrupt().forEach(lease -> troubles.add("corrupt, about to be made anew: lease " + lease));
        return troubles;
    }

    /**
     * Which parts of the key space this replica sweeps. One request to the lease container.
     *
     * @return all when the leases can't be read: what is swept twice is only work
     */
    public SweepRanges sweptRanges() {
        try {
            return SweepRanges.of(documents.leases(), owner, time.clock().instant(), LEASE_NEGLECTED_AFTER);
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("the leases of the change feed can't be read, so the sweep covers the whole store");
            return SweepRanges.ALL;
        }
    }

    private boolean isRunning() {
        var now = processor;
        return now != null && now.isStarted();
    }

    /**
     * The processor shows no error when a lease is missing, forgotten or corrupt; a restart makes and takes them again.
     */
    private Duration watch() throws InterruptedException {
        var found = look();
        var report = LeaseReport.of(found, time.clock().instant(), LEASE_NEGLECTED_AFTER);
        leases = hadTime() ? report : new LeaseReport(report.gaps(), List.of(), report.corrupt());
        if (isForOthers(found)) {
            leaveToOthers();
        } else if (isLeftToOthers || !leases.isWell() || !isRunning()) {
            LOG.atWarn()
                    .addKeyValue("gaps", leases.gaps())
                    .addKeyValue("neglected", leases.neglected())
                    .addKeyValue("corrupt", leases.corrupt())
                    .log(
                            "leases of the change feed are missing, expired, corrupt or not taken: the change feed processor is restarted");
            restart(!leases.gaps().isEmpty());
        }
        return settings.watch();
    }

    private List<JsonNode> look() {
        try {
            var found = documents.leases();
            unreadable = null;
            return found;
        } catch (RuntimeException e) {
            unreadable = FailureReason.of(e);
            throw e;
        }
    }

    private synchronized void leaveToOthers() throws InterruptedException {
        isLeftToOthers = true;
        if (processor != null) {
            LOG.atWarn()
                    .addKeyValue("offsetMillis", time.offset().get().toMillis())
                    .log(
                            "this machine's clock is wrong, so this replica leaves the leases of the change feed to others");
            stopProcessor(processor);
            processor = null;
        }
    }

    /** Leases that were left by others are old when a processor starts, and it takes them one by one. */
    private boolean hadTime() {
        return startedAt.isBefore(time.clock().instant().minus(LEASE_NEGLECTED_AFTER));
    }

    private synchronized void restart(boolean makeLeases) throws InterruptedException {
        if (processor != null) {
            stopProcessor(processor);
        } else if (!isLeftToOthers) {
            return; // closed meanwhile
        }
        isLeftToOthers = false;
        if (makeLeases) {
            documents.forgetThatLeasesWereMade();
        }
        startProcessor();
    }

    /** Ends reading and waits for the leases to be free, so that another replica takes them at once. */
    @Override
    public void close() {
        watch.close();
        synchronized (this) {
            isLeftToOthers = false;
            if (processor == null) {
                return;
            }
            try {
                stopProcessor(processor);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                processor = null;
            }
        }
    }

    private void stopProcessor(ChangeFeedProcessor running) throws InterruptedException {
        try {
            running.stop().block(settings.drainTimeout());
            awaitRelease();
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.LEASE, owner)
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log(
                            "the leases of the change feed could not be released, other replicas take them when they expire");
        }
    }

    /** The processor's own stop doesn't wait for it. */
    private void awaitRelease() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + settings.drainTimeout().toNanos();
        var pause = new StopRequest();
        while (ownsLeases() && System.nanoTime() - deadlineNanos < 0) {
            pause.rest(RELEASE_CHECK);
        }
    }

    private boolean ownsLeases() {
        var query = new SqlQuerySpec("SELECT c.id FROM c WHERE c.Owner = @owner", new SqlParameter("@owner", owner));
        return !client.leases()
                .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                .collectList()
                .blockOptional(settings.drainTimeout())
                .orElse(List.of())
                .isEmpty();
    }
}
