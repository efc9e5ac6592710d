package io.sluice.durabletask.hub;

import io.sluice.durabletask.dispatch.DaemonThreads;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether the store of a task hub takes calls at all. While calls fail and none succeeds, it reads instances that
 * are not there, in several partitions at once: one answer means that only a part of the store is away, or that the
 * store is back, also when nobody else calls. While all is well it asks nothing. Thread-safe.
 */
final class StoreWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
    private static final Duration LOOKS_EVERY = Duration.ofSeconds(2);
    /** Calls that fail for a shorter time are what clients and workers repeat. */
    private static final Duration FAILING_FOR = Duration.ofSeconds(5);
    /** Where every second partition is away, all of these lie in such a one in 4 of 1 000 cases. */
    private static final int READS = 8;
    /** How the ids of instances begin that nobody has. */
    private static final String PROBE = "sluice-host-probe-";

    private final String hub;
    private final CosmosProvider provider;
    private final ScheduledExecutorService timer;
    private final ExecutorService readers = Executors.newCachedThreadPool(DaemonThreads.named("durabletask-store"));
    private volatile boolean isAway;

    /** Begins to look. */
    StoreWatch(String hub, CosmosProvider provider) {
        this.hub = hub;
        this.provider = provider;
        this.timer = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("durabletask-store-watch"));
        long millis = LOOKS_EVERY.toMillis();
        var unused = timer.scheduleWithFixedDelay(this::lookSafely, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** One that fails must not end all others. */
    private void lookSafely() {
        try {
            look();
        } catch (RuntimeException | Error e) {
            LOG.atError().addKeyValue("hub", hub).setCause(e).log("the store of a task hub could not be looked at");
        }
    }

    private void look() {
        boolean was = isAway;
        isAway = isFailing() && !answersAny() && isFailing();
        if (isAway && !was) {
            LOG.atWarn()
                    .addKeyValue("hub", hub)
                    .addKeyValue("reason", fault().orElse(""))
                    .log("the store of a task hub does not answer: calls fail, and the host is not ready");
        } else if (was && !isAway) {
            LOG.atInfo().addKeyValue("hub", hub).log("the store of a task hub answers again");
        }
    }

    private boolean isFailing() {
        return provider.storeFailure()
                .filter(failure -> failure.lasting().compareTo(FAILING_FOR) >= 0)
                .isPresent();
    }

    private boolean answersAny() {
        Stream<CompletableFuture<Boolean>> reads =
                IntStream.range(0, READS)
                        .mapToObj(i -> CompletableFuture.supplyAsync(this::answers, readers))
                        .toList()
                        .stream();
        return reads.map(CompletableFuture::join).reduce(false, Boolean::logicalOr);
    }

    private boolean answers() {
        try {
            return provider.queries().get(PROBE + UUID.randomUUID()).isEmpty();
        } catch (ProviderException e) {
            return false;
        }
    }

    /** What to tell operators; empty while some of the store answers. Asks nothing. */
    Optional<String> fault() {
        return isAway
                ? provider.storeFailure()
                        .filter(failure -> failure.lasting().compareTo(FAILING_FOR) >= 0)
                        .map(failure -> "calls to the store of task hub '" + hub + "' have failed for "
                                + failure.lasting().toSeconds() + " s: " + failure.reason())
                : Optional.empty();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        readers.shutdownNow();
    }
}
