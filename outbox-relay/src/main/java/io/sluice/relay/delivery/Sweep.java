package io.sluice.relay.delivery;

import com.azure.cosmos.CosmosAsyncContainer;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.cosmos.StoreSweep;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.Loop;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for what the feed no longer shows: intents whose doorbell was heard by a process that died, and parked ones.
 * One cross-partition query at start and after every rest.
 */
public final class Sweep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SOURCES = "SELECT c.instanceId, c.attemptCount FROM c WHERE c.type = 'outbox_intent' "
            + "AND c.status IN ('pending', 'queued')";

    private final CosmosAsyncContainer container;
    private final IntentDelivery delivery;
    private final StoreSweep unfinished;
    private final Duration interval;
    private final Loop loop;
    private volatile @Nullable Found found;

    /**
     * Undelivered intents of the whole store.
     *
     * @param pending never refused
     * @param retrying refused at least once, to be tried again
     */
    public record Found(int pending, int retrying) {}

    public Sweep(
            CosmosAsyncContainer container,
            IntentDelivery delivery,
            StoreSweep unfinished,
            Duration interval,
            Duration drainTimeout) {
        this.unfinished = unfinished;
        this.container = container;
        this.delivery = delivery;
        this.interval = interval;
        this.loop = new Loop("sluice-sweep", this::step, drainTimeout);
    }

    /** Sweeps once, and then after every rest. */
    public void start() {
        loop.start();
    }

    /** What the latest sweep found; null before the first. */
    public @Nullable Found found() {
        return found;
    }

    private Duration step() {
        Set<String> sources = new HashSet<>();
        int pending = 0;
        int retrying = 0;
        for (JsonNode row : container
                .queryItems(SOURCES, JsonNode.class)
                .collectList()
                .blockOptional(TIMEOUT)
                .orElseThrow()) {
            sources.add(row.path("instanceId").asText());
            if (row.path("attemptCount").asLong() > 0) {
                retrying++;
            } else {
                pending++;
            }
        }
        found = new Found(pending, retrying);
        if (!sources.isEmpty()) {
            LOG.atInfo().addKeyValue(LogKeys.COUNT, sources.size()).log("sources with undelivered intents found");
        }
        delivery.swept(sources);
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
        loop.close();
    }
}
