package io.sluice.provider.cosmos.staged;

import io.sluice.provider.ProviderException;
import io.sluice.provider.request.BatchWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A turn cut into one batch that commits it and parts that follow. Pure.
 *
 * @param tryId new at every call of ack
 * @param withCommit what goes into the committing batch besides the instance and the protocol's own documents
 * @param parts in order, each the operations of one batch
 */
public record StagedTurn(String tryId, List<BatchWrite> withCommit, List<List<BatchWrite>> parts) {
    /** Instance, try, commit document and wake-up. */
    private static final int OWN_OPERATIONS = 4;

    private static final int MAX_WITH_COMMIT = BatchWrite.MAX_OPERATIONS - OWN_OPERATIONS;
    private static final int MAX_PART_OPERATIONS = 97;
    private static final int MAX_PART_BYTES = 1_500_000;

    public StagedTurn {
        withCommit = List.copyOf(withCommit);
        parts = parts.stream().map(List::copyOf).toList();
    }

    /**
     * What a turn writes besides its instance.
     *
     * @param first goes with the commit: the first history event or a receipt, by which the turn is recognised
     * @param cancelled deletes of activities, which go with the commit as far as they fit
     * @param following in the order in which it must become visible
     * @param consumed deletes of messages, oldest first, which go with the commit as far as they fit, the newest before
     *     all
     */
    public record Contents(
            List<BatchWrite> first,
            List<BatchWrite> cancelled,
            List<BatchWrite> following,
            List<BatchWrite> consumed) {}

    /**
     * Cuts a turn.
     *
     * @param operation the contract's operation, for the error
     * @param subject whose turn, for the error
     * @param instanceBytes the instance's part in the committing batch
     * @throws ProviderException permanent when one document of it fits into no batch
     */
    public static StagedTurn of(String operation, String subject, long instanceBytes, Contents contents) {
        check(operation, subject, instanceBytes + bytes(contents.first()), "its output and first event together take");
        for (BatchWrite write : contents.following()) {
            check(
                    operation,
                    subject,
                    write.boundBytes() <= BatchWrite.MAX_BYTES ? 0 : write.sizeBytes(),
                    "document '" + write.id() + "' takes");
        }
        List<BatchWrite> withCommit = new ArrayList<>(contents.first());
        List<BatchWrite> later = new ArrayList<>(contents.following());
        int newest = Math.max(0, contents.consumed().size() - 1);
        fill(
                withCommit,
                later,
                contents.consumed().subList(newest, contents.consumed().size()));
        fill(withCommit, later, contents.cancelled());
        fill(withCommit, later, contents.consumed().subList(0, newest));
        List<List<BatchWrite>> parts = cut(later);
        // The commit deletes the try's document, which comes with the first part.
        return new StagedTurn(UUID.randomUUID().toString(), withCommit, parts.isEmpty() ? List.of(List.of()) : parts);
    }

    /** Rough heap size of what it writes after the commit, in bytes. */
    public long weight() {
        // The bound counts six bytes a character, on the heap it takes up to two.
        return parts.stream()
                        .flatMap(List::stream)
                        .mapToLong(BatchWrite::boundBytes)
                        .sum()
                / 3;
    }

    private static void check(String operation, String subject, long bytes, String what) {
        if (bytes > BatchWrite.MAX_BYTES) {
            throw ProviderException.permanent(
                    operation,
                    "the turn of " + subject + " can't be stored: " + what + " " + bytes
                            + " bytes, one atomic batch holds " + BatchWrite.MAX_BYTES
                            + "; nothing was written. Carry less data in one document");
        }
    }

    private static long bytes(List<BatchWrite> writes) {
        return writes.stream().mapToLong(BatchWrite::sizeBytes).sum();
    }

    private static void fill(List<BatchWrite> withCommit, List<BatchWrite> later, List<BatchWrite> writes) {
        for (BatchWrite write : writes) {
            (withCommit.size() < MAX_WITH_COMMIT ? withCommit : later).add(write);
        }
    }

    private static List<List<BatchWrite>> cut(List<BatchWrite> writes) {
        List<List<BatchWrite>> parts = new ArrayList<>();
        List<BatchWrite> part = new ArrayList<>();
        long bytes = 0;
        for (BatchWrite write : writes) {
            int size = write.sizeBytes();
            if (!part.isEmpty() && (part.size() == MAX_PART_OPERATIONS || bytes + size > MAX_PART_BYTES)) {
                parts.add(part);
                part = new ArrayList<>();
                bytes = 0;
            }
            part.add(write);
            bytes += size;
        }
        if (!part.isEmpty()) {
            parts.add(part);
        }
        return parts;
    }
}
