package io.sluice.relay.runtime;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.relay.command.CommandConsumers;
import io.sluice.relay.command.CommandIntake;
import io.sluice.relay.command.CommandStatus;
import io.sluice.relay.command.CommandWorkers;
import io.sluice.relay.command.Inbox;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.partition.StorePartitions;
import io.sluice.relay.watch.GroupLag;
import io.sluice.relay.watch.GroupOffsets;
import java.util.function.Consumer;

/**
 * Takes the commands of a relay from Kafka into the store, and measures how many wait. Started by one thread;
 * {@link #status} may be called from any.
 */
final class CommandPipeline {
    private final StorePartitions partitions;
    private final CommandIntake intake;
    private final GroupLag lag;

    /**
     * What the rest of the relay learns of commands; both must return at once.
     *
     * @param queued gets each instance for which a command was queued
     * @param refused runs when commands have become dead letters
     */
    record CommandListener(Consumer<String> queued, Runnable refused) {}

    /**
     * Reads nothing yet.
     *
     * @param partitions of the store
     * @param control pauses the intake, and receives its heartbeat
     * @param memory limits the heap for commands
     * @param listener is told what became of commands
     */
    CommandPipeline(
            RelayConnections connections,
            StorePartitions partitions,
            PipelineControl control,
            RelayMemory memory,
            CommandListener listener) {
        var config = connections.config();
        var topics = connections.topics();
        var clock = connections.clock();
        var drainTimeout = config.operations().drainTimeout();
        this.partitions = partitions;
        var inbox = new CommandInbox(
                connections.store().container(), connections.store().clockObserver(), clock);
        this.intake = new CommandIntake(
                new CommandConsumers(connections.kafka(), topics, config.kafka().allowedReplyTopics(), memory, clock),
                new CommandWorkers(
                        Inbox.of(inbox, listener.queued(), this::partOf), config.delivery(), control, memory, clock),
                control,
                drainTimeout,
                listener.refused());
        var offsets = new GroupOffsets(connections.kafka(), topics.commandsGroup(), topics.commands());
        this.lag = new GroupLag("sluice-commands-lag", offsets, clock, drainTimeout);
    }

    void startIntake() {
        intake.start();
    }

    /** While one partition is known, a hot instance tells nothing of the others. */
    private Object partOf(String instance) {
        return partitions.count() == 1 ? instance : partitions.of(instance);
    }

    void startLag() {
        lag.start();
    }

    CommandStatus status() {
        return intake.status();
    }

    /** Number of commands that wait for the group; NaN if unknown. */
    double waiting() {
        return lag.latest().records();
    }

    /** Takes commands; to be closed first. */
    AutoCloseable intake() {
        return intake;
    }

    /** Measures only; to be closed after the intake. */
    AutoCloseable lag() {
        return lag;
    }
}
