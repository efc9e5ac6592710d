package io.sluice.relay.command;

import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.kafka.BoundedAdmin;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Takes commands from {@code <prefix>.commands} into orchestrator queues. A receipt in the instance's partition makes
 * each command effective once, also after it was consumed. Replies are sent first; then one transaction commits the
 * offsets of the settled prefix and the dead letters of that prefix. Kafka refuses it when the group has assigned the
 * partitions to another member.
 *
 * <p>{@link #start} and {@link #close} are idempotent; close returns when the commands under way are settled and
 * committed and the group is left, or the drain timeout is over.
 */
public final class CommandIntake implements AutoCloseable {
    private final CommandConsumers consumers;
    private final CommandWorkers workers;
    private final PipelineControl control;
    private final Duration drainTimeout;
    private final Runnable onRefusal;
    /** Read without the monitor, which {@link #close} holds for as long as it takes. */
    private volatile @Nullable Running running;

    private record Running(CommandConsumer consumer, Admin admin, Loop loop) {}

    /**
     * Joins no group yet.
     *
     * @param onRefusal runs when dead letters of commands are committed; must return at once
     */
    public CommandIntake(
            CommandConsumers consumers,
            CommandWorkers workers,
            PipelineControl control,
            Duration drainTimeout,
            Runnable onRefusal) {
        this.consumers = consumers;
        this.workers = workers;
        this.control = control;
        this.drainTimeout = drainTimeout;
        this.onRefusal = onRefusal;
    }

    /** Joins the group. */
    public synchronized void start() {
        if (running != null) {
            return;
        }
        var admin = consumers.admin();
        var consumer = consumers.consumer(admin, workers, control);
        var loop = new Loop("sluice-commands", () -> step(consumer), drainTimeout);
        running = new Running(consumer, admin, loop);
        loop.start();
    }

    /**
     * A step that failed sends a heartbeat too: a restart would not help if Kafka or the store refuses something. It
     * would where a request does not end.
     */
    private Duration step(CommandConsumer consumer) throws InterruptedException {
        long refused = consumer.status().refused();
        try {
            return consumer.step();
        } finally {
            if (!consumer.isHanging()) {
                control.beat();
            }
            if (consumer.status().refused() > refused) {
                onRefusal.run();
            }
        }
    }

    /** The counts so far. */
    public CommandStatus status() {
        var now = running;
        return now == null ? CommandStatus.NOTHING : now.consumer().status();
    }

    @Override
    public synchronized void close() {
        if (running != null) {
            workers.requestStop();
            running.loop().close();
            workers.drain(drainTimeout);
            try {
                running.consumer().close();
            } finally {
                running.admin().close(BoundedAdmin.CLOSE_LIMIT);
                running = null;
            }
        }
    }
}
