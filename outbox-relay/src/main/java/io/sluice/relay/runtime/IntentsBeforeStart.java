package io.sluice.relay.runtime;

import io.sluice.program.FailureReason;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.delivery.DeliveryCounters;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Shutdown;
import io.sluice.relay.sweep.Sweep;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers intents while the relay can't start because Kafka is away: intents need the store alone. It finds them by
 * sweeps of the whole store, every few seconds, as nobody knows which ranges are whose. Used by one thread.
 */
public final class IntentsBeforeStart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IntentsBeforeStart.class);

    private final RelayConfig config;
    private final @Nullable InstantSource clock;
    private @Nullable Running running;

    private record Running(RelayConnections connections, IntentPipeline intents) {}

    /** @param clock null for the time of the service */
    public IntentsBeforeStart(RelayConfig config, @Nullable InstantSource clock) {
        this.config = config;
        this.clock = clock;
    }

    /** Begins if it has not begun, and the store can be opened and is this relay's; else the next call tries again. */
    public void begin() {
        if (running != null) {
            return;
        }
        RelayConnections connections = null;
        try {
            connections = RelayConnections.openStore(config, clock);
            connections.requirePrefix();
            running = new Running(connections, started(connections));
            LOG.atInfo().log("intents are delivered while the relay can't start");
        } catch (RuntimeException e) {
            LOG.atDebug()
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .setCause(e)
                    .log("the store can't be opened, so no intents are delivered before the start");
        } finally {
            if (running == null && connections != null) {
                connections.close();
            }
        }
    }

    private static IntentPipeline started(RelayConnections connections) {
        var control = PipelineControl.none(Pipeline.INTENTS);
        var counters = new DeliveryCounters(millis -> {}, () -> {});
        var ranges = new Sweep.Ranges(connections.feed()::physicalRanges, () -> false, Set::of);
        var intents = new IntentPipeline(connections, ranges, control, counters, RelayMemory.ofHeap());
        intents.startDelivery();
        return intents;
    }

    /** Ends; deliveries that have begun end first, within the drain timeout. */
    @Override
    public void close() {
        var ended = running;
        if (ended != null) {
            running = null;
            Shutdown.within(config.operations().drainTimeout())
                    .together(1, ended.intents().intake().toArray(AutoCloseable[]::new))
                    .together(1, ended.intents().workers().toArray(AutoCloseable[]::new))
                    .together(1, ended.connections());
        }
    }
}
