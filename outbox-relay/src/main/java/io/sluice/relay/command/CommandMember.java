package io.sluice.relay.command;

import io.sluice.relay.ops.FailureReason;
import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.PipelineControl;
import io.sluice.relay.ops.RelayMemory;
import io.sluice.relay.ops.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
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
    private static final Duration REST_WHEN_LOST = Duration.ofSeconds(1);

    private final KafkaAccess kafka;
    private final Topics topics;
    private final CommandWorker worker;
    private final Executor workers;
    private final PipelineControl control;
    private final RelayMemory memory;
    private final Consumer<byte[], byte[]> consumer;
    private final CommandPartitions partitions;
    private final Admin admin;
    private final ReplyTopics replyTopics;
    private final ReplySender replies;
    private final CommandTransactions transactions;
    private final IntakeTrouble trouble;
    private boolean subscribed;
    /** A batch was polled and not committed for certain: the next step goes back to what is committed. */
    private boolean unsettled;

    private volatile CommandStatus status = new CommandStatus(0, 0, 0, null);

    CommandMember(
            KafkaAccess kafka,
            Topics topics,
            AllowedReplyTopics allowed,
            CommandWorker worker,
            Executor workers,
            PipelineControl control,
            InstantSource clock,
            RelayMemory memory) {
        this.memory = memory;
        this.control = control;
        this.kafka = kafka;
        this.topics = topics;
        this.worker = worker;
        this.workers = workers;
        this.consumer = kafka.groupMember(topics.commandsGroup(), "none");
        this.admin = kafka.adminForReading();
        this.partitions = new CommandPartitions(consumer, new TopicIds(admin, topics.commands()), clock);
        this.replyTopics = new ReplyTopics(new ReplyRights(admin)::fault, topics, allowed, clock);
        this.replies = new ReplySender(kafka, replyTopics);
        this.transactions = new CommandTransactions(kafka, topics);
        this.trouble = new IntakeTrouble(clock);
    }

    CommandStatus status() {
        return status;
    }

    /** Shows with every turn that it turns, also when the turn failed: what Kafka or the store refuses is for people, and no restart mends it. */
    Duration step() throws InterruptedException {
        try {
            turn();
            return Duration.ZERO;
        } catch (OffsetOutOfRangeException e) {
            partitions.lose(e.offsetOutOfRangePartitions());
            LOG.atError().addKeyValue(LogKeys.TOPIC, topics.commands()).log(lossOf(partitions.lost()));
            return REST_WHEN_LOST;
        } catch (RebalanceInProgressException | CommitFailedException | InterruptException e) {
            throw e; // the partitions went to others, or this is the end
        } catch (RuntimeException e) {
            trouble.met("can't be taken or committed, tried again all the time: " + FailureReason.ofLast(e));
            throw e;
        } finally {
            control.beat();
            tell(0, 0);
        }
    }

    private void turn() throws InterruptedException {
        if (!subscribed) {
            consumer.subscribe(List.of(topics.commands()), partitions);
            subscribed = true;
        }
        if (unsettled) {
            transactions.reset();
            partitions.rewind();
            unsettled = false;
        }
        partitions.resolve();
        boolean paused = control.isPaused();
        if (paused) {
            consumer.pause(consumer.assignment());
        } else {
            partitions.begin();
            partitions.resume();
        }
        var polled = BatchRecords.of(consumer.poll(POLL), memory.commandBytes());
        var messages = polled.taken();
        polled.left().forEach(consumer::seek);
        if (messages.isEmpty()) {
            trouble.nothingToDo();
        } else if (paused) {
            // Partitions that were assigned during the poll were not yet paused: what they showed is left alone.
            unsettled = true;
        } else {
            var batch = new CommandBatch(messages, partitions::origin);
            if (batch.hasIdsOfPlaces() && !partitions.isSameTopic()) {
                // They would get the ids of records of the topic that was deleted.
                unsettled = true;
            } else {
                take(batch);
            }
        }
    }

    private void take(CommandBatch batch) throws InterruptedException {
        unsettled = true;
        partitions.setUnderWay(batch);
        try {
            checkReplies(batch);
            awaitInGroup(begin(batch));
        } catch (RuntimeException | InterruptedException e) {
            batch.abandon(consumer.assignment());
            throw e;
        } finally {
            partitions.setUnderWay(null);
            partitions.resume();
        }
        commit(batch);
        unsettled = false;
        trouble.over();
        long refused = batch.count(settled -> settled.letter() == null ? 0 : 1);
        long queued = batch.count(settled -> settled.letter() == null ? 1 : 0);
        tell(queued, refused);
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

    private void commit(CommandBatch batch) throws InterruptedException {
        var settled = batch.committable();
        var offsets = partitions.advance(settled);
        if (offsets.isEmpty()) {
            return;
        }
        var unsent = replies.send(settled.values().stream()
                .flatMap(done -> done.replies().stream())
                .filter(reply -> !partitions.isReplied(reply.entry().message()))
                .toList());
        if (unsent.isEmpty()) {
            partitions.setReplied(settled);
        }
        transactions.commit(batch, new CommandTransactions.Progress(offsets, consumer.groupMetadata()));
        // Only now: where Kafka takes nothing at all, they are tried again with the commit.
        replies.giveUp(unsent);
    }

    /** Adds to the figures, and says what is wrong now. */
    private void tell(long queued, long refused) {
        var lost = partitions.lost();
        status = new CommandStatus(
                status.queued() + queued,
                status.refused() + refused,
                replies.givenUp(),
                lost.isEmpty() ? trouble.text() : lossOf(lost));
    }

    private String lossOf(Set<TopicPartition> lost) {
        var places = lost.stream()
                .map(TopicPartition::partition)
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        return "partitions " + places
                + " stand, their next commands were deleted by the topic's retention before they were taken;"
                + " decide where to go on: stop all relays, as the group must be empty for it, then kafka-consumer-groups"
                + " --bootstrap-server " + kafka.bootstrapServers() + " --reset-offsets --group "
                + topics.commandsGroup() + " --topic " + topics.commands() + ":" + places
                + " --to-earliest --execute";
    }

    /** Leaves the group. */
    @Override
    public void close() {
        try {
            consumer.close();
        } finally {
            replies.close();
            transactions.close();
            admin.close(Duration.ZERO);
        }
    }
}
