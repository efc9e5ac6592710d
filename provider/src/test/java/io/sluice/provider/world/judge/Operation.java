package io.sluice.provider.world.judge;

import io.sluice.provider.TurnAck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something a process asked of its provider. Its requests may apply after it has ended.
 *
 * @param process that asked, its life included: owner of sessions
 * @param kind what it asked for
 * @param token of the lock it bears, null for none
 * @param ack what a turn is acked with; null for everything else
 * @param beganMillis when it began, before which it read nothing
 * @param taken tokens of the locks it took on the way
 */
public record Operation(
        String process,
        Kind kind,
        @Nullable String token,
        @Nullable TurnAck ack,
        long beganMillis,
        List<String> taken) {
    /** What can be asked for. */
    public enum Kind {
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

    /** Whether nothing is held any more once it is done. */
    public boolean isRelease() {
        return switch (kind) {
            case ACK_TURN, ABANDON_TURN, ACK_ACTIVITY, ABANDON_ACTIVITY -> true;
            default -> false;
        };
    }

    public boolean isAck() {
        return kind == Kind.ACK_TURN || kind == Kind.ACK_ACTIVITY;
    }

    /** Whether it holds, or held, the lock with this token. */
    public boolean bears(String other) {
        return other.equals(token) || taken.contains(other);
    }

    @Override
    public String toString() {
        return process + " " + kind;
    }
}
