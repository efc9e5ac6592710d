package io.sluice.relay.command;

import io.sluice.relay.command.CommandBatch.Entry;
import io.sluice.relay.reply.ReplyTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * Settles the commands of a batch on worker threads, and polls meanwhile to stay a member of the group. Commands that
 * the store does not take in time are parked, and tried again beside later batches. Belongs to the consumer's thread.
 */
final class BatchSettler {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private final Consumer<byte[], byte[]> consumer;
    private final CommandPartitions partitions;
    private final ReplyTopics replyTopics;
    private final CommandWorkers workers;
    private final ParkedTries tries;

    BatchSettler(
            Consumer<byte[], byte[]> consumer,
            CommandPartitions partitions,
            ReplyTopics replyTopics,
            CommandWorkers workers) {
        this.consumer = consumer;
        this.partitions = partitions;
        this.replyTopics = replyTopics;
        this.workers = workers;
        this.tries = workers.tries();
    }

    /** Returns when every command is settled, to be parked, or left to the next owner of its partition. */
    void settle(CommandBatch batch) throws InterruptedException {
        partitions.setUnderWay(batch);
        partitions.parked().beginBatch();
        var open = new ArrayList<Lane>();
        try {
            checkReplyTopics(batch.entries());
            startLanes(batch, open);
            awaitInGroup(open);
        } catch (RuntimeException | InterruptedException e) {
            batch.abandon(consumer.assignment());
            throw e;
        } finally {
            open.forEach(Lane::end);
            partitions.setUnderWay(null);
            partitions.resume();
        }
    }

    /**
     * Notes what became of parked commands, and tries those again that are due.
     *
     * @param mayStart whether any may be tried now
     */
    void tryParked(boolean mayStart) {
        var queues = partitions.parked().queues();
        tries.collect(queues);
        if (mayStart) {
            tries.start(queues, partitions::floor, lane -> checkReplyTopics(lane.entries()));
        }
    }

    /** Whether a request for a parked command does not end. */
    boolean isHanging() {
        return ParkedTries.isHanging(partitions.parked().queues());
    }

    /** Once for each command: when a right is taken back while it is tried, that costs its reply alone. */
    private void checkReplyTopics(List<Entry> entries) {
        for (var entry : entries) {
            var topic = entry.command().replyTopic();
            if (!entry.isReplyChecked()) {
                entry.setReplyFault(topic == null ? null : replyTopics.fault(topic));
            }
        }
    }

    private void startLanes(CommandBatch batch, List<Lane> open) {
        for (var entries : batch.lanes()) {
            // An instance may have commands in several partitions.
            long floor = entries.stream()
                    .mapToLong(entry -> partitions.floor(entry.partition()))
                    .max()
                    .orElse(0);
            var lane = new Lane(entries, floor, true);
            if (!isHeldUp(lane)) {
                open.add(lane);
                workers.settle(lane);
            }
        }
    }

    /** Parks a lane for which there is no use in a try, or that would overtake parked commands. */
    private boolean isHeldUp(Lane lane) {
        var instance = lane.entries().get(0).instance();
        if (instance == null) {
            return false;
        }
        var parked = partitions.parked();
        boolean isBehind = parked.holds(instance);
        if (isBehind || (tries.isSick(instance) && lane.entries().stream().allMatch(parked::isParkable))) {
            lane.done().complete(null); // no worker ever gets it
            parked.park(lane);
            return true;
        }
        return false;
    }

    /** Waits for the workers and polls meanwhile, with all partitions paused. */
    private void awaitInGroup(List<Lane> open) throws InterruptedException {
        while (true) {
            var all = open.stream().map(Lane::done).toArray(CompletableFuture<?>[]::new);
            try {
                CompletableFuture.allOf(all).get(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                noteAnswers(open);
                return;
            } catch (TimeoutException e) {
                consumer.pause(consumer.assignment());
                consumer.poll(Duration.ZERO);
            } catch (ExecutionException e) {
                throw new IllegalStateException("settling commands failed", e.getCause());
            }
            noteAnswers(open);
            parkOverdue(open);
            tryParked(true);
        }
    }

    private void noteAnswers(List<Lane> open) {
        var queues = partitions.parked().queues();
        for (var lane : open) {
            var instance = lane.entries().get(0).instance();
            if (instance != null && lane.done().isDone() && lane.firstOpen() == null && lane.takeNews()) {
                tries.answered(queues, instance);
            }
        }
    }

    private void parkOverdue(List<Lane> open) {
        for (var lane : List.copyOf(open)) {
            var first = lane.firstOpen();
            if (first == null || first.isAbandoned() || !partitions.parked().isParkable(first)) {
                continue;
            }
            var instance = String.valueOf(first.instance());
            boolean isOverdue = lane.isOverdue(tries.isSuspect(instance));
            if (isOverdue) {
                tries.failed(instance);
            }
            if (isOverdue || tries.isSick(instance)) {
                partitions.parked().park(lane);
                workers.replace(lane);
                open.remove(lane);
            }
        }
    }
}
