package io.sluice.relay.command;

import io.sluice.relay.deadletter.DeadLetter;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
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
 * Commits dead letters, records of the topic of parked commands, and offsets in one transaction, which writes to the
 * relay's own topics only. Belongs to the consumer's thread.
 *
 * <p>A dead letter that Kafka refuses fails the whole transaction, and all its records report the same failure. Then
 * each letter is sent in a separate transaction that is aborted, to find the refused ones and make them smaller.
 */
final class CommandTransactions implements AutoCloseable {
    private static final int SMALLEST_LETTER_BYTES = 32_768;
    private static final int LESS_BY = 4;

    private final KafkaAccess kafka;
    private final Topics topics;
    private final String transactionalId;
    private @Nullable Producer<byte[], byte[]> producer;

    /**
     * The progress to commit.
     *
     * @param offsets the next offset by partition
     * @param group the group and its generation
     */
    record Progress(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {}

    CommandTransactions(KafkaAccess kafka, Topics topics) {
        this.kafka = kafka;
        this.topics = topics;
        // A new id for each process: the group's generation decides which member may commit, not the transactional id.
        this.transactionalId = topics.commandsGroup() + "-" + UUID.randomUUID();
    }

    /**
     * Commits these.
     *
     * @param parked records of the topic of parked commands
     * @throws KafkaException when the result of the commit is unknown; then {@link #reset} must be called before the
     *     next
     */
    void commit(List<DeadLetter> letters, List<ProducerRecord<byte[], byte[]>> parked, Progress progress)
            throws InterruptedException {
        try {
            write(sized(letters, KafkaAccess.MAX_RECORD_BYTES), parked, progress);
        } catch (KafkaException e) {
            if (Refused.in(e) == null) {
                throw e;
            }
            producer().abortTransaction();
            int letterBytes = findAcceptedSize(letters, e);
            if (letterBytes == KafkaAccess.MAX_RECORD_BYTES) {
                throw e;
            }
            write(sized(letters, letterBytes), parked, progress);
        }
    }

    private List<ProducerRecord<byte[], byte[]>> sized(List<DeadLetter> letters, int letterBytes) {
        return letters.stream()
                .map(letter -> letter.toRecord(topics.deadLetters(), letterBytes))
                .toList();
    }

    private void write(
            List<ProducerRecord<byte[], byte[]>> letters,
            List<ProducerRecord<byte[], byte[]>> parked,
            Progress progress) {
        var transaction = producer();
        transaction.beginTransaction();
        letters.forEach(letter -> send(transaction, letter));
        parked.forEach(record -> send(transaction, record));
        transaction.sendOffsetsToTransaction(progress.offsets(), progress.group());
        transaction.commitTransaction();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit reports the failure of the send
    private static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message) {
        producer.send(message);
    }

    /** Finds a size of dead letters that Kafka accepts for each. */
    private int findAcceptedSize(List<DeadLetter> letters, KafkaException failure) throws InterruptedException {
        int bytes = KafkaAccess.MAX_RECORD_BYTES;
        for (var letter : letters) {
            var refused = probe(letter.toRecord(topics.deadLetters(), bytes));
            while (refused != null) {
                bytes /= LESS_BY;
                if (!refused.isOfSize() || bytes < SMALLEST_LETTER_BYTES) {
                    throw failure;
                }
                refused = probe(letter.toRecord(topics.deadLetters(), bytes));
            }
        }
        return bytes;
    }

    /** Sends a record in a transaction that is aborted; returns why Kafka refuses it, null when it does not. */
    private @Nullable Refused probe(ProducerRecord<byte[], byte[]> message) throws InterruptedException {
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
                throw new KafkaException("can't find out which records of a batch are refused", e);
            }
            return refused;
        }
    }

    private Producer<byte[], byte[]> producer() {
        if (producer == null) {
            var fresh = kafka.transactional(transactionalId, topics.deadLetters(), topics.parkedCommands());
            producer = fresh;
            fresh.initTransactions();
        }
        return producer;
    }

    /** Closes the producer, after a commit with an unknown result. */
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
