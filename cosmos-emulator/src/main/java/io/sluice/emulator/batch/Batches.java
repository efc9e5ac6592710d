package io.sluice.emulator.batch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.WriteTransaction;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs the operations of a batch, together or each for itself. */
public final class Batches {
    private static final int MAX_OPERATIONS = 100;

    private Batches() {}

    /**
     * Reads the body of a batch.
     *
     * @throws StatusException 400 when an operation is invalid, or there are none or more than 100
     */
    public static List<BatchOperation> parse(ArrayNode body) {
        if (body.isEmpty()) {
            throw StatusException.badRequest("Batch request has no operations.");
        }
        if (body.size() > MAX_OPERATIONS) {
            throw StatusException.badRequest("Batch request has more operations than what is supported. It may have "
                    + MAX_OPERATIONS + ", had " + body.size() + ".");
        }
        var operations = new ArrayList<BatchOperation>(body.size());
        body.forEach(json -> operations.add(BatchOperation.parse(json)));
        return operations;
    }

    /**
     * Runs all operations in one transaction. The first that is refused undoes the others, and they answer 424.
     *
     * @throws StatusException 404 when the container is gone
     */
    public static List<BatchResult> atomic(Partition partition, PartitionKey key, List<BatchOperation> operations) {
        try {
            return partition.write(transaction -> applyAll(transaction, key, operations));
        } catch (BatchAbortedException aborted) {
            return aborted.results;
        }
    }

    /**
     * Runs each operation in a transaction of its own.
     *
     * @param continueOnError whether operations after a refused one are tried; otherwise they answer 424
     */
    public static List<BatchResult> separate(
            Container container, Partition partition, List<BatchOperation> operations, boolean continueOnError) {
        var results = new ArrayList<BatchResult>(operations.size());
        boolean stopped = false;
        for (var operation : operations) {
            var result = stopped ? BatchResult.dependent() : alone(container, partition, operation);
            results.add(result);
            stopped |= result.isFailure() && !continueOnError;
        }
        return results;
    }

    private static List<BatchResult> applyAll(
            WriteTransaction transaction, PartitionKey key, List<BatchOperation> operations) {
        var results = new ArrayList<BatchResult>(operations.size());
        for (int i = 0; i < operations.size(); i++) {
            try {
                results.add(operations.get(i).apply(transaction, key));
            } catch (StatusException refusal) {
                var failed = new ArrayList<>(Collections.nCopies(operations.size(), BatchResult.dependent()));
                failed.set(i, BatchResult.refused(refusal));
                throw new BatchAbortedException(failed);
            }
        }
        return results;
    }

    private static BatchResult alone(Container container, Partition partition, BatchOperation operation) {
        try {
            var text = operation.partitionKey();
            if (text == null) {
                throw StatusException.badRequest("A bulk operation must name its partition key.");
            }
            var key = PartitionKey.parse(text);
            if (container.partitionOf(key) != partition) {
                throw StatusException.partitionGone("The partition key range does not hold the key " + key);
            }
            return partition.write(transaction -> operation.apply(transaction, key));
        } catch (StatusException refusal) {
            return BatchResult.refused(refusal);
        }
    }

    /** Ends a transaction without applying it. */
    private static final class BatchAbortedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient List<BatchResult> results;

        BatchAbortedException(List<BatchResult> results) {
            super("aborted", null, false, false);
            this.results = results;
        }
    }
}
