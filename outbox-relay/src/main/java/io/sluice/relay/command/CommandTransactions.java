package io.sluice.relay.command;

import io.sluice.relay.deadletter.DeadLetter;
import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Commits batches: dead letters and offsets of what is settled, all in one transaction, which touches no topic but the relay's own. Belongs to the consumer's thread.
 *
 * <p>A dead letter that Kafka refuses for good fails the whole transaction, and all records of it say the same. Then each is sent in a transaction of its own
 * that is aborted, to find those that are refused, and made smaller.
 */
final class CommandTransactions implements AutoCloseable {
    private static final int SMALLEST_LETTER_BYTES = 32_768;
    private static final int LESS_BY = 4;

    private final KafkaAccess kafka;
    private final Topics topics;
    private final String transactionalId;
    private @Nullable Producer<byte[], byte[]> producer;

    /**
     * What goes with a commit.
     *
     * @param offsets where to go on
     * @param group in whose name, of which generation
     */
    record Progress(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {}

    CommandTransactions(KafkaAccess kafka, Topics topics) {
        this.kafka = kafka;
        this.topics = topics;
        // Its own: who may commit is decided by the group's generation, not by the transactional id.
        this.transactionalId = topics.commandsGroup() + "-" + UUID.randomUUID();
    }

    /**
     * Commits what of a batch is settled.
     *
     * @throws KafkaException when it isn't committed for certain; {@link #reset} comes before the next
     */
    void commit(CommandBatch batch, Progress progress) throws InterruptedException {
        try {
            write(batch, KafkaAccess.MAX_RECORD_BYTES, progress);
        } catch (KafkaException e) {
            if (Refused.in(e) == null) {
                throw e;
            }
            producer().abortTransaction();
            int letterBytes = fitting(letters(batch), e);
            if (letterBytes == KafkaAccess.MAX_RECORD_BYTES) {
                throw e;
            }
            write(batch, letterBytes, progress);
        }
    }

    private void write(CommandBatch batch, int letterBytes, Progress progress) {
        var transaction = producer();
        transaction.beginTransaction();
        letters(batch).forEach(letter -> send(transaction, letter.toRecord(topics.deadLetters(), letterBytes)));
        transaction.sendOffsetsToTransaction(progress.offsets(), progress.group());
        transaction.commitTransaction();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit reports what the send met
    private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message) {
        producer.send(message);
    }

    /** How large dead letters may be, so that each is taken. */
    private int fitting(List<DeadLetter> letters, KafkaException failure) throws InterruptedException {
        int bytes = KafkaAccess.MAX_RECORD_BYTES;
        for (var letter : letters) {
            var refused = refusal(letter.toRecord(topics.deadLetters(), bytes));
            while (refused != null) {
                bytes /= LESS_BY;
                if (!refused.isOfSize() || bytes < SMALLEST_LETTER_BYTES) {
                    throw failure;
                }
                refused = refusal(letter.toRecord(topics.deadLetters(), bytes));
            }
        }
        return bytes;
    }

    /** Why Kafka does not take a record, found out without anybody reading it; null when it does. */
    private @Nullable Refused refusal(ProducerRecord<byte[], byte[]> message) throws InterruptedException {
        var transaction = producer();
        transaction.beginTransaction();
        var refused = answer(transaction, message);
        transaction.abortTransaction();
        return refused;
    }

    private static @Nullable Refused answer(
            Producer<byte[], byte[]> transaction, ProducerRecord<byte[], byte[]> message) throws InterruptedException {
        try {
            var sent = transaction.send(message);
            transaction.flush();
            sent.get();
            return null;
        } catch (ExecutionException | KafkaException e) {
            var refused = Refused.in(e);
            if (refused == null) {
                throw new KafkaException("can't find out what of a batch is refused", e);
            }
            return refused;
        }
    }

    private static List<DeadLetter> letters(CommandBatch batch) {
        return batch.committable().values().stream()
                .flatMap(done -> done.letters().stream())
                .toList();
    }

    private Producer<byte[], byte[]> producer() {
        if (producer == null) {
            var fresh = kafka.transactional(transactionalId, topics.deadLetters());
            producer = fresh;
            fresh.initTransactions();
        }
        return producer;
    }

    /** Forgets the producer, after a commit whose end isn't known. */
    void reset() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    @Override
    public void close() {
        reset();
    }
}
