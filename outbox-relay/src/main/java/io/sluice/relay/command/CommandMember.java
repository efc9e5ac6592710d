package io.sluice.relay.command;

import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.Oversight;
import io.sluice.relay.ops.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of the group that takes commands: poll, settle, commit. {@link #step} belongs to one thread,
 * {@link #close} to whoever has stopped it; {@link #status} may come from any.
 */
final class CommandMember implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandMember.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration STAY_IN_GROUP = Duration.ofMillis(100);
    private static final Duration ASK = Duration.ofSeconds(5);
    private static final Duration REST_WHEN_LOST = Duration.ofSeconds(10);

    private final KafkaAccess kafka;
    private final Topics topics;
    private final CommandWorker worker;
    private final Executor workers;
    private final Oversight oversight;
    private final String transactionalId;
    private final Consumer<byte[], byte[]> consumer;
    private final CommandPartitions partitions;
    private final ReplyTopics replyTopics;
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean subscribed;
    /** A batch was polled and not committed for certain: the next step goes back to what is committed. */
    private boolean unsettled;

    private volatile CommandStatus status = new CommandStatus(0, 0, null);

    CommandMember(
            KafkaAccess kafka,
            Topics topics,
            CommandWorker worker,
            Executor workers,
            Oversight oversight,
            InstantSource clock) {
        this.oversight = oversight;
        this.kafka = kafka;
        this.topics = topics;
        this.worker = worker;
        this.workers = workers;
        // Its own: who may commit is decided by the group's generation, not by the transactional id.
        this.transactionalId = topics.commandsGroup() + "-" + UUID.randomUUID();
        this.consumer = kafka.groupMember(topics.commandsGroup(), "none");
        this.partitions = new CommandPartitions(consumer);
        // The consumer is set up to make no topic by asking; a producer would.
        this.replyTopics =
                new ReplyTopics(topic -> !consumer.partitionsFor(topic, ASK).isEmpty(), topics, clock);
    }

    CommandStatus status() {
        return status;
    }

    Duration step() throws InterruptedException {
        if (!subscribed) {
            consumer.subscribe(List.of(topics.commands()), partitions);
            subscribed = true;
        }
        if (unsettled) {
            closeProducer();
            partitions.rewind();
            unsettled = false;
        }
        try {
            boolean paused = oversight.isPaused();
            if (paused) {
                consumer.pause(consumer.assignment());
            } else {
                partitions.begin();
                partitions.resume();
            }
            var messages = consumer.poll(POLL);
            if (paused) {
                // Partitions that were assigned during the poll were not yet paused: what they showed is left alone.
                unsettled = !messages.isEmpty();
            } else if (!messages.isEmpty()) {
                take(new CommandBatch(messages));
            }
            oversight.beat();
            return Duration.ZERO;
        } catch (OffsetOutOfRangeException e) {
            return lost(e);
        }
    }

    private Duration lost(OffsetOutOfRangeException e) {
        var trouble =
                "commands were deleted by the topic's retention before they were taken; decide where to go on with "
                        + "kafka-consumer-groups --reset-offsets --group " + topics.commandsGroup() + " ("
                        + e.getMessage()
                        + ")";
        LOG.atError().addKeyValue(LogKeys.TOPIC, topics.commands()).log(trouble);
        status = new CommandStatus(status.queued(), status.refused(), trouble);
        return REST_WHEN_LOST;
    }

    private void take(CommandBatch batch) throws InterruptedException {
        unsettled = true;
        partitions.setUnderWay(batch);
        try {
            checkReplies(batch);
            awaitInGroup(begin(batch));
        } finally {
            partitions.setUnderWay(null);
            partitions.resume();
        }
        commit(batch);
        unsettled = false;
        count(batch);
    }

    private void checkReplies(CommandBatch batch) {
        for (var entry : batch.entries()) {
            var topic = entry.command().replyTopic();
            var fault = topic == null ? null : replyTopics.fault(topic);
            if (fault != null) {
                entry.replyImpossible(fault);
            }
        }
    }

    private CompletableFuture<Void> begin(CommandBatch batch) {
        var lanes = new ArrayList<CompletableFuture<Void>>();
        for (var lane : batch.lanes()) {
            var first = lane.get(0).message();
            long floor = partitions.floor(new TopicPartition(first.topic(), first.partition()));
            lanes.add(CompletableFuture.runAsync(() -> settle(lane, floor), workers));
        }
        return CompletableFuture.allOf(lanes.toArray(new CompletableFuture<?>[0]));
    }

    private void settle(List<CommandBatch.Entry> lane, long floor) {
        try {
            worker.settleAll(lane, floor);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the workers; polls meanwhile, with everything paused, to stay a member. */
    private void awaitInGroup(CompletableFuture<Void> work) throws InterruptedException {
        while (true) {
            try {
                work.get(STAY_IN_GROUP.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                consumer.pause(consumer.assignment());
                consumer.poll(Duration.ZERO);
            } catch (ExecutionException e) {
                throw new IllegalStateException("settling commands failed", e.getCause());
            }
        }
    }

    private void commit(CommandBatch batch) {
        var committable = batch.committable();
        if (committable.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        committable.forEach((partition, done) -> {
            partitions.raiseFloor(partition, done.latestEnqueuedAt());
            offsets.put(partition, CommandPartitions.offset(done.nextOffset(), partitions.floor(partition)));
        });
        var transaction = producer();
        transaction.beginTransaction();
        committable.values().stream()
                .flatMap(done -> done.letters().stream())
                .forEach(letter -> send(transaction, letter.toRecord(topics.deadLetters())));
        committable.values().stream()
                .flatMap(done -> done.replies().stream())
                .forEach(reply -> send(transaction, reply.toRecord()));
        transaction.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
        transaction.commitTransaction();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit reports what the send met
    private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message) {
        producer.send(message);
    }

    private Producer<byte[], byte[]> producer() {
        if (producer == null) {
            var fresh = kafka.transactional(transactionalId, topics.deadLetters());
            producer = fresh;
            fresh.initTransactions();
        }
        return producer;
    }

    private void closeProducer() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    private void count(CommandBatch batch) {
        long refused = batch.count(settled -> settled.letter() == null ? 0 : 1);
        long queued = batch.count(settled -> settled.letter() == null ? 1 : 0);
        status = new CommandStatus(status.queued() + queued, status.refused() + refused, null);
    }

    /** Leaves the group. */
    @Override
    public void close() {
        try {
            consumer.close();
        } finally {
            closeProducer();
        }
    }
}
