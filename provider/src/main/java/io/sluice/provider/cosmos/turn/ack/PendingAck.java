package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.request.Backoff;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One call of ack, with what its tries have found out so far. Used by one thread.
 *
 * @param cancelled ids of the worker documents that the ack cancels
 * @param missing ids of documents that turned out to be gone, and are left out of the next try
 */
record PendingAck(TurnAck ack, HeldTurn turn, List<String> cancelled, Set<String> missing, Backoff backoff) {
    PendingAck(TurnAck ack, HeldTurn turn, List<String> cancelled) {
        this(ack, turn, List.copyOf(cancelled), new HashSet<>(), new Backoff());
    }

    String instanceId() {
        return turn.instanceId();
    }
}
