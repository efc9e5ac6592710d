package io.sluice.relay.command;

import io.sluice.program.FailureReason;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes commands as a member of the consumer group: each step polls a batch, settles it and commits it, with what
 * became of parked commands. {@link #step}
 * belongs to one thread, and so does {@link #close} after the last step; {@link #status} may be called by any.
 */
final class CommandConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandConsumer.class);
    private static final Duration REST_AFTER_LOSS = Duration.ofSeconds(1);

    private final CommandPoller poller;
    private final BatchSettler settler;
    private final BatchCommitter committer;
    private final CommandPartitions partitions;
    private final IntakeProblem problem;
    /** Not all of the batch is committed for certain: the next step goes back to the committed offsets. */
    private boolean uncommitted;

    private volatile CommandStatus status = CommandStatus.NOTHING;

    CommandConsumer(
            CommandPoller poller,
            BatchSettler settler,
            BatchCommitter committer,
            CommandPartitions partitions,
            IntakeProblem problem) {
        this.poller = poller;
        this.settler = settler;
        this.committer = committer;
        this.partitions = partitions;
        this.problem = problem;
    }

    CommandStatus status() {
        return status;
    }

    Duration step() throws InterruptedException {
        try {
            takeBatch();
            return Duration.ZERO;
        } catch (OffsetOutOfRangeException e) {
            partitions.pauseLost(e.offsetOutOfRangePartitions());
            LOG.atError().addKeyValue(LogKeys.TOPIC, problem.topic()).log(problem.describeLoss(partitions.lost()));
            return REST_AFTER_LOSS;
        } catch (RebalanceInProgressException | CommitFailedException | InterruptException e) {
            throw e; // the partitions went to others, or this is the end
        } catch (RuntimeException e) {
            problem.met("can't be taken or committed, tried again all the time: " + FailureReason.ofLast(e));
            throw e;
        } finally {
            addToStatus(0, 0);
        }
    }

    private void takeBatch() throws InterruptedException {
        if (uncommitted) {
            committer.reset();
            poller.rewind();
            uncommitted = false;
        }
        var polled = poller.poll();
        if (polled.isEmpty()) {
            problem.nothingToDo();
        }
        uncommitted = true;
        var batch = polled.batch();
        if (batch != null) {
            settler.settle(batch);
        }
        settler.tryParked(!poller.isPaused());
        var committed = committer.commit(batch);
        uncommitted = batch == null ? !polled.isEmpty() : batch.hasUnsettled();
        if (batch != null) {
            partitions.leave(batch.left());
        }
        if (committed.isAny()) {
            problem.over();
        }
        addToStatus(committed.queued(), committed.refused());
    }

    /** Whether a request to the store does not end. */
    boolean isHanging() {
        return settler.isHanging();
    }

    private void addToStatus(long queued, long refused) {
        var lost = partitions.lost();
        var parked = partitions.parked();
        status = new CommandStatus(
                status.queued() + queued,
                status.refused() + refused,
                committer.unsentReplies(),
                lost.isEmpty() ? problem.text() : problem.describeLoss(lost),
                new CommandStatus.Parked(
                        parked.count(), parked.oldestMillis(), parked.full().size(), problem.describeParked(parked)));
    }

    /** Leaves the group. */
    @Override
    public void close() {
        try {
            poller.close();
        } finally {
            committer.close();
        }
    }
}
