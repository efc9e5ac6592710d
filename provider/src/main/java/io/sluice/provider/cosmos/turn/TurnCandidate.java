package io.sluice.provider.cosmos.turn;

import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.Call;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * An instance with messages to take.
 *
 * @param messages those the query returned, in FIFO order; empty for an instance that no query was asked about yet
 * @param content whether the messages are whole
 * @param exhaustive whether these were all that were visible, the query not having been cut short
 * @param isAwaited whether it was set aside for want of the start that was found
 */
record TurnCandidate(
        String instanceId, List<QueueDocument> messages, Content content, boolean exhaustive, boolean isAwaited) {
    static final String READY =
            " FROM c WHERE c.type = 'orch_queue' AND c.visibleAt <= @now AND " + PartitionReader.UNLOCKED;
    static final String MESSAGES =
            "SELECT c.id, c.instanceId, c.workItem, c.visibleAt, c.enqueuedAt, c.attemptCount, c.traceparent, c.tracestate"
                    + READY;

    /** How much of the messages is known. */
    enum Content {
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
        boolean isUnproven() {
            return this == ANNOUNCED || this == START;
        }

        /** Whether the batch that locks has to return the messages. */
        boolean isCut() {
            return this != WHOLE;
        }
    }

    TurnCandidate {
        messages = List.copyOf(messages);
    }

    /** An instance that is known to have messages. */
    static TurnCandidate unread(String instanceId, boolean isAwaited) {
        return new TurnCandidate(instanceId, List.of(), Content.WHOLE, false, isAwaited);
    }

    /** An instance that this process begins. */
    static TurnCandidate start(QueueDocument message) {
        return new TurnCandidate(message.instanceId(), List.of(message), Content.START, true, false);
    }

    /** Whether its messages are still to be asked for. */
    boolean isUnread() {
        return messages.isEmpty();
    }

    /** Whether its messages are known well enough to try the lock. */
    boolean isLockable() {
        return content != Content.CUT_AND_LARGE;
    }

    /**
     * The same with its messages, by one query of its partition, for which the SDK needs no plan; empty when there are
     * none to take.
     */
    Optional<TurnCandidate> readMissing(PartitionReader partitions, InstantSource clock, Call call) {
        PartitionReader.Arrived found = partitions.messages(call, instanceId, clock.millis());
        return found.messages().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new TurnCandidate(instanceId, found.messages(), Content.WHOLE, found.exhaustive(), isAwaited));
    }
}
