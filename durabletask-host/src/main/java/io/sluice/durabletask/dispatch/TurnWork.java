package io.sluice.durabletask.dispatch;

import io.grpc.Status;
import io.sluice.durabletask.turn.OpenTurn;
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

    /** Keeps a part that is not the last. Deprecated in the protocol, but sent by SDKs that are in use. */
    @SuppressWarnings("deprecation")
    synchronized void keep(OrchestratorResponse part) {
        int index = part.hasChunkIndex() ? part.getChunkIndex().getValue() : nextPart;
        if (index != nextPart) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("chunkIndex: expected " + nextPart + ", was " + index)
                    .asRuntimeException();
        }
        bytes += part.getSerializedSize();
        if (bytes > maxAnswerBytes) {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription("the parts of the answer have " + bytes + " bytes, the limit is " + maxAnswerBytes)
                    .asRuntimeException();
        }
        parts.addAllActions(part.getActionsList());
        nextPart++;
    }

    /** The whole answer, with its last part. */
    synchronized OrchestratorResponse whole(OrchestratorResponse last) {
        return nextPart == 0
                ? last
                : last.toBuilder()
                        .clearActions()
                        .addAllActions(parts.getActionsList())
                        .addAllActions(last.getActionsList())
                        .build();
    }
}
