package io.sluice.relay.deadletter;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.SqlQuerySpec;
import io.sluice.relay.feed.ScanGroup;
import io.sluice.relay.loop.Loop;
import java.time.Duration;

/** Counts the dead letters of the store: one query at the start and after every interval. Thread-safe. */
public final class DeadLetterCount implements AutoCloseable {
    private static final SqlQuerySpec COUNT =
            new SqlQuerySpec("SELECT VALUE COUNT(1) FROM c WHERE c.type = 'outbox_intent' AND c.status = 'failed'");

    private final CosmosAsyncContainer container;
    private final Duration interval;
    private final Loop loop;
    private volatile double latest = Double.NaN;

    /** Counts nothing yet. */
    public DeadLetterCount(CosmosAsyncContainer container, Duration interval, Duration drainTimeout) {
        this.container = container;
        this.interval = interval;
        this.loop = new Loop("sluice-dead-letter-count", this::step, drainTimeout);
    }

    /** Counts once, and then after every interval. */
    public void start() {
        loop.start();
    }

    /** Counts now, as an intent has failed, or a dead letter was retried or discarded. */
    public void wakeUp() {
        loop.wakeUp();
    }

    private Duration step() {
        try {
            latest = ScanGroup.sum(container, COUNT, ScanGroup.options());
        } catch (RuntimeException e) {
            latest = Double.NaN;
            throw e;
        }
        return interval;
    }

    /** The latest count; NaN if unknown. */
    public double latest() {
        return latest;
    }

    @Override
    public void close() {
        loop.close();
    }
}
