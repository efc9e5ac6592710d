package io.sluice.provider.world;

import io.sluice.provider.TurnAck;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something a process asked of its provider. Its requests may apply after it has ended.
 *
 * @param process that asked, its life included: owner of sessions
 * @param kind what it asked for
 * @param token of the lock it bears, null for none
 * @param ack what a turn is acked with; null for everything else
 * @param beganMillis when a fetch of a turn began, before which it read nothing; 0 for everything else
 * @param taken tokens of the locks it took on the way
 */
record Operation(
        String process,
        Kind kind,
        @Nullable String token,
        @Nullable TurnAck ack,
        long beganMillis,
        List<String> taken) {
    /** What can be asked for. */
    enum Kind {
        FETCH_TURN,
        RENEW_TURN,
        ABANDON_TURN,
        ACK_TURN,
        FETCH_ACTIVITY,
        RENEW_ACTIVITY,
        ABANDON_ACTIVITY,
        ACK_ACTIVITY,
        SESSIONS,
        ENQUEUE,
        LOOK,
        PRUNE,
        DELETE,
        DELIVER,
        SWEEP
    }

    static Operation of(String process, Kind kind, @Nullable String token) {
        return new Operation(process, kind, token, null, 0, new ArrayList<>());
    }

    static Operation fetchTurn(String process, long nowMillis) {
        return new Operation(process, Kind.FETCH_TURN, null, null, nowMillis, new ArrayList<>());
    }

    static Operation ack(String process, TurnAck ack) {
        return new Operation(process, Kind.ACK_TURN, ack.lockToken(), ack, 0, new ArrayList<>());
    }

    /** Whether it holds, or held, the lock with this token. */
    boolean bears(String other) {
        return other.equals(token) || taken.contains(other);
    }

    @Override
    public String toString() {
        return process + " " + kind;
    }
}
