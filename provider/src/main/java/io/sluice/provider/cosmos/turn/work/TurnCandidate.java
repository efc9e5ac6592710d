package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.BatchWrite;
import java.util.List;

/**
 * An instance with messages to take.
 *
 * @param messages those the query returned, in FIFO order; empty for an instance that no query was asked about yet
 * @param content whether the messages are whole
 * @param exhaustive whether these were all that were visible, the query not having been cut short
 * @param isAwaited whether it was set aside for want of the start that was found
 */
public record TurnCandidate(
        String instanceId, List<QueueDocument> messages, Content content, boolean exhaustive, boolean isAwaited) {
    /** What a batch returns should stay far below what a request may have, in characters of up to four bytes. */
    private static final long MOST_CHARACTERS = 256 * 1024;
    /** Messages that one batch can tag and return together with the instance. */
    private static final int MOST_RETURNED = (BatchWrite.MAX_OPERATIONS - 1) / 2;

    /** How much of the messages is known. */
    public enum Content {
        /** All of it. */
        WHOLE,
        /**
         * The work items are cut after their kind; all of them together are small enough to be returned by the
         * batch that locks them.
         */
        CUT,
        /** As before, but too much for one batch. */
        CUT_AND_LARGE,
        /** As {@link #CUT}, and the batch has to find out whether they may be taken. */
        ANNOUNCED,
        /** As {@link #ANNOUNCED}: the start of an instance that has to be new. */
        START;

        /** Whether the batch that locks has to find out whether the messages may be taken. */
        public boolean isUnproven() {
            return this == ANNOUNCED || this == START;
        }

        /** Whether the batch that locks has to return the messages. */
        public boolean isCut() {
            return this != WHOLE;
        }
    }

    public TurnCandidate {
        messages = List.copyOf(messages);
    }

    /** An instance that is known to have messages. */
    public static TurnCandidate unread(String instanceId, boolean isAwaited) {
        return new TurnCandidate(instanceId, List.of(), Content.WHOLE, false, isAwaited);
    }

    /** An instance that this process begins. */
    static TurnCandidate start(QueueDocument message) {
        return new TurnCandidate(message.instanceId(), List.of(message), Content.START, true, false);
    }

    /** Whether its messages are still to be asked for. */
    public boolean isUnread() {
        return messages.isEmpty();
    }

    /** Whether its messages are known well enough to try the lock. */
    public boolean isLockable() {
        return content != Content.CUT_AND_LARGE;
    }

    /** The instance of these rows, which were announced and are all it has. */
    static TurnCandidate announced(List<TurnRow> rows) {
        return new TurnCandidate(rows.get(0).instanceId(), messages(rows), Content.ANNOUNCED, true, false);
    }

    /** One that a search found. */
    static TurnCandidate found(TurnFound found) {
        return new TurnCandidate(
                found.instanceId(),
                messages(found.rows()),
                areSmall(found.rows()) ? Content.CUT : Content.CUT_AND_LARGE,
                found.isExhaustive(),
                found.isAwaited());
    }

    /** Whether the batch that locks the messages can return them. */
    static boolean areSmall(List<TurnRow> rows) {
        long characters = rows.stream().mapToLong(TurnRow::characters).sum();
        return characters <= MOST_CHARACTERS && rows.size() <= MOST_RETURNED;
    }

    private static List<QueueDocument> messages(List<TurnRow> rows) {
        return rows.stream().map(TurnRow::message).sorted(QueueDocument.FIFO).toList();
    }
}
