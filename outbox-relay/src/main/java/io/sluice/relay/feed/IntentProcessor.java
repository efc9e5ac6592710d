package io.sluice.relay.feed;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.StopRequest;
import java.time.Duration;
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
 * The SDK's change feed processor: it takes leases, reads the feed and passes every page to delivery. A page is
 * checkpointed only after its sources were drained. Started and stopped by one thread at a time.
 *
 * <p>The processor's poll delay is fixed when it takes a lease, so it always polls at the longest interval; the readers
 * of the histories notify the same delivery at their shorter one.
 */
public final class IntentProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(IntentProcessor.class);
    /**
     * Each renewal is a read and a write of a lease. If a lease has to expire first, the readers of the histories show
     * new intents meanwhile, to whichever replica they run in.
     */
    static final Duration LEASE_EXPIRATION = Duration.ofSeconds(18);

    private static final Duration LEASE_RENEWAL = Duration.ofSeconds(6);
    private static final Duration LEASE_ACQUISITION = Duration.ofSeconds(3);
    /** The processor checks every 15 s whether another replica has created the leases, whose lock lasts 30 s. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

    private static final Duration PAGE_TIMEOUT = Duration.ofSeconds(20);
    /** How long the processor has for releasing its leases before those that are left are released for it. */
    private static final Duration OWN_RELEASE = Duration.ofSeconds(1);

    private static final Duration RELEASE_CHECK = Duration.ofMillis(50);

    private final FeedClient client;
    private final LeaseOwner owner;
    private final ReadPace pace;
    private final Duration drainTimeout;
    private final Function<List<JsonNode>, CompletableFuture<Void>> deliver;
    private final LeaseDocuments leases;
    /** Written by the thread that starts or stops, which may take minutes; read by any. */
    private volatile @Nullable ChangeFeedProcessor processor;

    /**
     * Reads nothing yet.
     *
     * @param drainTimeout how long a stop waits for the leases to be released
     * @param deliver takes a page, whose documents are emptied when it returns; the page is done when the returned
     *     future completes
     */
    public IntentProcessor(
            FeedClient client,
            LeaseOwner owner,
            ReadPace pace,
            Duration drainTimeout,
            Function<List<JsonNode>, CompletableFuture<Void>> deliver) {
        this.client = client;
        this.owner = owner;
        this.pace = pace;
        this.drainTimeout = drainTimeout;
        this.deliver = deliver;
        this.leases = new LeaseDocuments(client.leases(), owner.prefix(), client.containerRid());
    }

    LeaseDocuments leases() {
        return leases;
    }

    String owner() {
        return owner.name();
    }

    Duration drainTimeout() {
        return drainTimeout;
    }

    /**
     * Creates the leases at the first start, and begins to take some.
     *
     * @throws PrerequisiteException if that fails or takes too long
     */
    void start() {
        var fresh = new ChangeFeedProcessorBuilder()
                .hostName(owner.name())
                .feedContainer(client.container())
                .leaseContainer(client.leases())
                .options(options())
                .handleLatestVersionChanges(this::handle)
                .buildChangeFeedProcessor();
        try {
            if (leases.removeCorrupt() > 0) {
                leases.removeCreationMarkers();
            }
            fresh.start().block(START_TIMEOUT);
        } catch (RuntimeException e) {
            throw new PrerequisiteException("can't start reading the change feed: " + FailureReason.of(e), e);
        }
        processor = fresh;
    }

    private ChangeFeedProcessorOptions options() {
        return new ChangeFeedProcessorOptions()
                .setLeasePrefix(owner.prefix())
                .setLeaseExpirationInterval(LEASE_EXPIRATION)
                .setLeaseRenewInterval(LEASE_RENEWAL)
                .setLeaseAcquireInterval(LEASE_ACQUISITION)
                .setFeedPollDelay(pace.longest())
                .setMaxItemCount(pace.pageSize())
                .setStartFromBeginning(true)
                .setLeaseVerificationEnabledOnRestart(true);
    }

    /** An exception keeps the page from being checkpointed: it is then read again, by this replica or another. */
    private void handle(List<ChangeFeedProcessorItem> items) {
        var documents = items.stream().map(ChangeFeedProcessorItem::getCurrent).toList();
        try {
            var drained = deliver.apply(documents);
            clear(documents);
            drained.get(PAGE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // The sources are queued; to wait longer would only hold up the feed of the lease.
            LOG.atWarn()
                    .addKeyValue(LogKeys.COUNT, documents.size())
                    .log(
                            "not all sources of a page of the change feed were drained in time, the feed goes on and they stay queued");
        } catch (ExecutionException e) {
            throw new IllegalStateException("a page of the change feed was not processed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a page of the change feed was processed", e);
        }
    }

    /** The processor keeps the documents until their page is processed, which may take long; no code reads them. */
    private static void clear(List<JsonNode> documents) {
        documents.forEach(document -> {
            if (document instanceof ObjectNode node) {
                node.removeAll();
            }
        });
    }

    /** Whether it was started and not stopped; it may have ended by itself. */
    boolean isStarted() {
        return processor != null;
    }

    boolean isRunning() {
        var now = processor;
        return now != null && now.isStarted();
    }

    /** Stops reading and waits for the leases to be released, so that another replica takes them at once. */
    void stop() throws InterruptedException {
        var running = processor;
        if (running == null) {
            return;
        }
        try {
            running.stop().block(drainTimeout);
            awaitRelease();
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.LEASE, owner.name())
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log(
                            "the leases of the change feed could not be released, other replicas take them when they expire");
        } finally {
            processor = null;
        }
    }

    /**
     * The processor's own stop doesn't wait for the release, and forgets a lease that it was about to take: that one is
     * released here, once the processor has had time for its own.
     */
    private void awaitRelease() throws InterruptedException {
        long startNanos = System.nanoTime();
        var pause = new StopRequest();
        while (leases.isOwner(owner.name(), drainTimeout) && System.nanoTime() - startNanos < drainTimeout.toNanos()) {
            if (System.nanoTime() - startNanos > OWN_RELEASE.toNanos()) {
                leases.release(owner.name());
            }
            pause.await(RELEASE_CHECK);
        }
    }
}
