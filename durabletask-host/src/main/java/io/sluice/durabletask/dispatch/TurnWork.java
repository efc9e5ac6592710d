package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.turn.OpenTurn;
import io.sluice.durabletask.turn.RefusedResponseException;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;

/** A turn in a worker's hand, with what has come of an answer in parts. Thread-safe. */
final class TurnWork {
    private final OpenTurn turn;
    private final int maxAnswerBytes;
    private final OrchestratorResponse.Builder parts = OrchestratorResponse.newBuilder();
    private int nextPart;
    private long bytes;

    /**
     * A turn.
     *
     * @param maxAnswerBytes of all parts
     */
    TurnWork(OpenTurn turn, int maxAnswerBytes) {
        this.turn = turn;
        this.maxAnswerBytes = maxAnswerBytes;
    }

    OpenTurn turn() {
        return turn;
    }

    /**
     * Keeps a part that is not the last; one that is repeated counts once. Deprecated in the protocol, but sent by SDKs
     * that are in use.
     *
     * @throws RefusedResponseException when it is not the next one, or too much has come
     */
    synchronized void keep(OrchestratorResponse part) {
        if (indexOf(part) < nextPart) {
            return;
        }
        checkIsNext(part);
        bytes += part.getSerializedSize();
        if (bytes > maxAnswerBytes) {
            throw RefusedResponseException.tooLarge(
                    "the parts of the answer have " + bytes + " bytes, the limit is " + maxAnswerBytes);
        }
        if (nextPart == 0 && part.hasNumEventsProcessed()) {
            parts.setNumEventsProcessed(part.getNumEventsProcessed());
        }
        parts.addAllActions(part.getActionsList());
        nextPart++;
    }

    /**
     * The whole answer, with its last part. The first part says how many events the worker has taken: SDKs say 0 in
     * those that follow.
     *
     * @throws RefusedResponseException when a part is missing
     */
    synchronized OrchestratorResponse whole(OrchestratorResponse last) {
        checkIsNext(last);
        if (nextPart == 0) {
            return last;
        }
        OrchestratorResponse.Builder whole = last.toBuilder()
                .clearNumEventsProcessed()
                .clearActions()
                .addAllActions(parts.getActionsList())
                .addAllActions(last.getActionsList());
        if (parts.hasNumEventsProcessed()) {
            whole.setNumEventsProcessed(parts.getNumEventsProcessed());
        }
        return whole.build();
    }

    private void checkIsNext(OrchestratorResponse part) {
        int index = indexOf(part);
        if (index != nextPart) {
            throw RefusedResponseException.invalid("chunkIndex: expected " + nextPart + ", was " + index);
        }
    }

    /** Where a part stands; one that does not say so is the next. */
    @SuppressWarnings("deprecation")
    private int indexOf(OrchestratorResponse part) {
        return part.hasChunkIndex() ? part.getChunkIndex().getValue() : nextPart;
    }
}
