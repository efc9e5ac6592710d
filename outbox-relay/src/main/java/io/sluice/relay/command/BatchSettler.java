package io.sluice.relay.command;

import io.sluice.relay.reply.ReplyTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * Settles the commands of a batch on worker threads, and polls meanwhile to stay a member of the group. Belongs to the
 * consumer's thread.
 */
final class BatchSettler {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final Consumer<byte[], byte[]> consumer;
    private final CommandPartitions partitions;
    private final ReplyTopics replyTopics;
    private final CommandWorker worker;
    private final Executor workers;

    BatchSettler(
            Consumer<byte[], byte[]> consumer,
            CommandPartitions partitions,
            ReplyTopics replyTopics,
            CommandWorker worker,
            Executor workers) {
        this.consumer = consumer;
        this.partitions = partitions;
        this.replyTopics = replyTopics;
        this.worker = worker;
        this.workers = workers;
    }

    /** Returns when every command is settled, or left to the next owner of its partition. */
    void settle(CommandBatch batch) throws InterruptedException {
        partitions.setUnderWay(batch);
        try {
            checkReplyTopics(batch);
            awaitInGroup(startLanes(batch));
        } catch (RuntimeException | InterruptedException e) {
            batch.abandon(consumer.assignment());
            throw e;
        } finally {
            partitions.setUnderWay(null);
            partitions.resume();
        }
    }

    private void checkReplyTopics(CommandBatch batch) {
        for (var entry : batch.entries()) {
            var topic = entry.command().replyTopic();
            var fault = topic == null ? null : replyTopics.fault(topic);
            if (fault != null) {
                entry.setReplyFault(fault);
            }
        }
    }

    private CompletableFuture<Void> startLanes(CommandBatch batch) {
        var lanes = new ArrayList<CompletableFuture<Void>>();
        for (var lane : batch.lanes()) {
            // An instance may have commands in several partitions.
            long floor = lane.stream()
                    .mapToLong(entry -> partitions.floor(entry.partition()))
                    .max()
                    .orElse(0);
            lanes.add(CompletableFuture.runAsync(() -> settleLane(lane, floor), workers));
        }
        return CompletableFuture.allOf(lanes.toArray(new CompletableFuture<?>[0]));
    }

    private void settleLane(List<CommandBatch.Entry> lane, long floor) {
        try {
            worker.settleAll(lane, floor);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the workers and polls meanwhile, with all partitions paused. */
    private void awaitInGroup(CompletableFuture<Void> work) throws InterruptedException {
        while (true) {
            try {
                work.get(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                consumer.pause(consumer.assignment());
                consumer.poll(Duration.ZERO);
            } catch (ExecutionException e) {
                throw new IllegalStateException("settling commands failed", e.getCause());
            }
        }
    }
}
