package io.sluice.relay.sweep;

import io.sluice.provider.cosmos.StoreSweep;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finishes turns and deletions that others left behind, and removes old receipts, again and again. */
public final class UnfinishedWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedWork.class);

    private final StoreSweep store;
    private final Duration interval;
    private final Loop loop;

    /**
     * Does nothing yet.
     *
     * @param interval between two searches
     * @param drainTimeout how long closing waits for the step under way
     */
    public UnfinishedWork(StoreSweep store, Duration interval, Duration drainTimeout) {
        this.store = store;
        this.interval = interval;
        this.loop = new Loop("sluice-unfinished", this::step, drainTimeout);
    }

    /** Searches once, and then after every interval. */
    public void start() {
        loop.start();
    }

    private Duration step() {
        int finished = store.finishTurns() + store.finishDeletions();
        if (finished > 0) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.COUNT, finished)
                    .log("turns and deletions that others left behind finished");
        }
        store.removeOldReceipts();
        return interval;
    }

    @Override
    public void close() {
        loop.close();
    }
}
