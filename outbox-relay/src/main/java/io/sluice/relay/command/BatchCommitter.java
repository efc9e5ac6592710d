package io.sluice.relay.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Commits what is settled, of a batch and of parked commands: sends the replies, then commits dead letters, what
 * becomes parked or is so no more, and the offsets in one transaction. Also where nothing but parked commands is
 * settled the offsets are in it: they carry the floor, and Kafka refuses them when the partitions went to another
 * member. Belongs to the consumer's thread.
 */
final class BatchCommitter implements AutoCloseable {
    private static final Committed NOTHING = new Committed(false, 0, 0);

    private final Consumer<byte[], byte[]> consumer;
    private final CommandPartitions partitions;
    private final ReplySender replies;
    private final CommandTransactions transactions;

    /**
     * What a commit contained.
     *
     * @param isAny whether there was anything to commit
     * @param queued commands that were queued
     * @param refused commands that became dead letters
     */
    record Committed(boolean isAny, long queued, long refused) {}

    BatchCommitter(
            Consumer<byte[], byte[]> consumer,
            CommandPartitions partitions,
            ReplySender replies,
            CommandTransactions transactions) {
        this.consumer = consumer;
        this.partitions = partitions;
        this.replies = replies;
        this.transactions = transactions;
    }

    /**
     * Commits.
     *
     * @param batch null where there is none
     */
    Committed commit(@Nullable CommandBatch batch) throws InterruptedException {
        var ofBatch = batch == null ? Map.<TopicPartition, Committable>of() : batch.committable();
        var parked = partitions.parked();
        var finished = parked.finished(partitions::committed);
        var all = new LinkedHashMap<>(finished);
        ofBatch.forEach((partition, done) -> all.merge(partition, done, Committable::and));
        var offsets = partitions.offsetsAfter(all);
        if (offsets.isEmpty()) {
            return NOTHING;
        }
        var unsent = replies.send(Stream.concat(
                        finished.values().stream().flatMap(done -> done.replies().stream()),
                        ofBatch.values().stream()
                                .flatMap(done -> done.replies().stream())
                                .filter(reply ->
                                        !partitions.isReplied(reply.entry().message())))
                .toList());
        if (unsent.isEmpty()) {
            partitions.setReplied(ofBatch);
        }
        var letters =
                all.values().stream().flatMap(done -> done.letters().stream()).toList();
        var records = all.values().stream()
                .flatMap(done -> parked.records(done).stream())
                .toList();
        transactions.commit(letters, records, new CommandTransactions.Progress(offsets, consumer.groupMetadata()));
        partitions.setCommitted(offsets);
        parked.committed(all.values());
        // Only after the commit: where Kafka takes nothing at all, the replies are tried again with it.
        replies.giveUp(unsent);
        return new Committed(
                true, all.values().stream().mapToLong(Committable::queued).sum(), letters.size());
    }

    /** To be called after a commit whose result is unknown, before the next. */
    void reset() {
        transactions.reset();
    }

    /** How many replies were given up. */
    long unsentReplies() {
        return replies.givenUp();
    }

    @Override
    public void close() {
        replies.close();
        transactions.close();
    }
}
