package io.sluice.relay.kafka;

import io.sluice.program.FailureReason;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the transaction that keeps the records of a partition from being read, and describes it for an operator.
 * Changes nothing: if the coordinator has forgotten the transaction, it can't be known whether it was committed or
 * aborted.
 */
public final class OpenTransaction {
    private OpenTransaction() {}

    /**
     * Asks Kafka for the producers of the partition and for the state of a transactional id; the description contains
     * failures of these requests too.
     */
    public static String describe(Admin admin, TopicPartition partition, String transactionalId)
            throws InterruptedException {
        try {
            var open =
                    admin
                            .describeProducers(List.of(partition))
                            .partitionResult(partition)
                            .get()
                            .activeProducers()
                            .stream()
                            .filter(producer ->
                                    producer.currentTransactionStartOffset().isPresent())
                            .toList();
            return open.isEmpty()
                    ? "it has ended meanwhile"
                    : words(
                            partition,
                            open,
                            transactionalId,
                            admin.describeTransactions(List.of(transactionalId))
                                    .description(transactionalId)
                                    .get());
        } catch (ExecutionException e) {
            return "who holds it open is not known: " + FailureReason.of(e);
        }
    }

    static String words(
            TopicPartition partition, List<ProducerState> open, String transactionalId, TransactionDescription ours) {
        return open.stream()
                .map(producer -> "producer " + producer.producerId() + " holds it open in " + partition
                        + " since offset "
                        + producer.currentTransactionStartOffset().orElseThrow() + ", "
                        + (producer.producerId() == ours.producerId()
                                ? ended(transactionalId, partition, ours)
                                : "which is not that of " + transactionalId))
                .collect(Collectors.joining("; "));
    }

    private static String ended(String transactionalId, TopicPartition partition, TransactionDescription ours) {
        boolean isUnderWay = ours.state() == TransactionState.ONGOING
                || ours.state() == TransactionState.PREPARE_COMMIT
                || ours.state() == TransactionState.PREPARE_ABORT;
        return isUnderWay && ours.topicPartitions().contains(partition)
                ? transactionalId + ", whose coordinator has it as " + ours.state() + " and is yet to end it there"
                : transactionalId + ", whose coordinator has it as " + ours.state()
                        + " and won't end it there any more: it hangs, see the runbook";
    }
}
