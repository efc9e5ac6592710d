package io.sluice.relay.command;

import org.apache.kafka.clients.consumer.Consumer;

/**
 * Commits a settled batch: sends its replies, then commits its dead letters and offsets in one transaction. Belongs to
 * the consumer's thread.
 */
final class BatchCommitter implements AutoCloseable {
    private final Consumer<byte[], byte[]> consumer;
    private final CommandPartitions partitions;
    private final ReplySender replies;
    private final CommandTransactions transactions;

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

    void commit(CommandBatch batch) throws InterruptedException {
        var settled = batch.committable();
        var offsets = partitions.offsetsAfter(settled);
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
        // Only after the commit: where Kafka takes nothing at all, the replies are tried again with it.
        replies.giveUp(unsent);
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
