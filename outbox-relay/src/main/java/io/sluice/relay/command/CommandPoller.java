package io.sluice.relay.command;

import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.control.RelayMemory;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/** Polls batches of commands as a member of the consumer group. Belongs to the consumer's thread. */
final class CommandPoller implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final CommandPartitions partitions;
    private final PipelineControl control;
    private final RelayMemory memory;
    private boolean subscribed;

    /**
     * The result of a poll.
     *
     * @param isEmpty whether there were no records
     * @param batch null when there were none, or they may not be taken now: they have to be polled again
     */
    record Polled(boolean isEmpty, @Nullable CommandBatch batch) {}

    CommandPoller(
            Consumer<byte[], byte[]> consumer,
            String topic,
            CommandPartitions partitions,
            PipelineControl control,
            RelayMemory memory) {
        this.consumer = consumer;
        this.topic = topic;
        this.partitions = partitions;
        this.control = control;
        this.memory = memory;
    }

    Polled poll() {
        if (!subscribed) {
            consumer.subscribe(List.of(topic), partitions);
            subscribed = true;
        }
        partitions.loadUnknownOffsets();
        boolean paused = control.isPaused();
        if (paused) {
            consumer.pause(consumer.assignment());
        } else {
            partitions.commitBeginnings();
            partitions.resume();
        }
        var records = BatchRecords.of(consumer.poll(POLL), memory.commandBytes());
        records.left().forEach(consumer::seek);
        if (records.taken().isEmpty()) {
            return new Polled(true, null);
        }
        if (paused) {
            // Partitions that were assigned during the poll were not paused yet.
            return new Polled(false, null);
        }
        var batch = new CommandBatch(records.taken(), partitions::origin);
        // When the topic was deleted and made again, commands without an id would get the ids of earlier ones.
        return new Polled(false, batch.hasIdsOfPlaces() && !partitions.isSameTopic() ? null : batch);
    }

    /** Whether an operator has paused the intake. */
    boolean isPaused() {
        return control.isPaused();
    }

    /** Goes back to the committed offsets. */
    void rewind() {
        partitions.rewind();
    }

    /** Leaves the group. */
    @Override
    public void close() {
        consumer.close();
    }
}
