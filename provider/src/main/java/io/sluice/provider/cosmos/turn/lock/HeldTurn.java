package io.sluice.provider.cosmos.turn.lock;

import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.search.HeapBytes;
import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.HeldLocks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A turn under our lock: everything its ack will need, learnt when it was fetched. The head moves with every renewal.
 * Thread-safe: a renewal may run while it is acked; two acks take turns.
 */
public final class HeldTurn implements HeldLocks.Held {
    private static final int OWN_OBJECTS = 4;

    private final String token;
    private final Contents contents;
    private final long execution;
    private final long contentsWeight;
    private final ReentrantLock acking = new ReentrantLock();

    private Stored<InstanceDocument> head;
    private boolean ambiguous;
    private Histories.@Nullable Decoded history;
    private boolean hasEvents;
    private long triesWeight;
    private final Map<String, TurnAck> tries = new HashMap<>();

    /**
     * What was fetched.
     *
     * @param created whether this fetch created the instance document, which then goes again when the turn is given
     *     back
     * @param acked whether the instance is known to have been acked before
     */
    public record Contents(
            List<QueueDocument> messages,
            KeyValues keyValues,
            List<Intent> openIntents,
            boolean created,
            boolean acked) {
        public Contents {
            messages = List.copyOf(messages);
            openIntents = List.copyOf(openIntents);
        }

        private long weight() {
            long characters = 0;
            for (QueueDocument message : messages) {
                characters += message.workItem().length();
            }
            return keyValues.weight() + HeapBytes.ofIntents(openIntents) + HeapBytes.of(messages.size(), characters);
        }
    }

    /** A turn whose lock was just taken, or found in the store. */
    public HeldTurn(String token, Stored<InstanceDocument> head, Contents contents) {
        this.token = token;
        this.head = head;
        this.contents = contents;
        this.execution = head.document().currentExecutionId();
        this.contentsWeight = HeapBytes.of(OWN_OBJECTS, 0) + contents.weight();
    }

    /** Notes the history of the current execution, once it has been read. */
    public synchronized void setHistory(Histories.Decoded decoded) {
        history = ambiguous ? null : decoded;
        hasEvents |= !decoded.events().isEmpty();
    }

    /** Null when it is not known (the turn was fetched elsewhere), could not be decoded, or an ack is in doubt. */
    public synchronized Histories.@Nullable Decoded history() {
        return history;
    }

    /** Whether the instance is known to have been acked before. */
    public synchronized boolean isAcked() {
        return contents.acked() || hasEvents;
    }

    @Override
    public String token() {
        return token;
    }

    /** Whose turn it is. */
    public String instanceId() {
        return head().document().instanceId();
    }

    /**
     * The execution that was current when it was fetched, whose history it has; the head may have moved on to the next
     * one.
     */
    public long execution() {
        return execution;
    }

    /** What was fetched. */
    public Contents contents() {
        return contents;
    }

    /** Held by the one ack that is under way. */
    public ReentrantLock acking() {
        return acking;
    }

    /** The instance document as we know it, bearing our lock, and its version. */
    public synchronized Stored<InstanceDocument> head() {
        return head;
    }

    /** Takes over a newer version that still bears our token. */
    public synchronized void moveTo(Stored<InstanceDocument> newer) {
        if (!newer.document().bears(token)) {
            throw new IllegalArgumentException("an etag is taken over only from a version that bears our token");
        }
        head = newer;
    }

    /** The instance document to write when the turn is given back, or lost, without an ack. */
    public InstanceDocument free(long updatedAt) {
        InstanceDocument now = head().document();
        return contents.acked() ? now.unlocked(updatedAt) : now.givenBack(updatedAt);
    }

    @Override
    public long lockedUntil() {
        return Objects.requireNonNullElse(head().document().lockedUntil(), 0L);
    }

    /** Whether its lock has not lapsed. */
    public boolean isAlive(long nowMillis) {
        return lockedUntil() > nowMillis;
    }

    /** A call about the instance that ends with the lock. */
    public Call callWhileAlive(String operation, long nowMillis) {
        return Call.onInstance(operation, instanceId(), Duration.ofMillis(Math.max(0, lockedUntil() - nowMillis)));
    }

    /**
     * Remembers that a try of the ack got no answer; from then on every refusal may be the echo of its success. The
     * history goes, for a turn in doubt may be kept for long: it would only spare the next turn a read.
     */
    public synchronized void markAmbiguous() {
        ambiguous = true;
        history = null;
    }

    @Override
    public boolean isInDoubt() {
        return acking.isLocked() || isAmbiguous();
    }

    @Override
    public synchronized long weight() {
        return contentsWeight + triesWeight + (history == null ? 0 : history.weight());
    }

    /** Whether a try of the ack got no answer. */
    public synchronized boolean isAmbiguous() {
        return ambiguous;
    }

    /**
     * Remembers which ack a try's staged parts belong to, to recognise its commit document.
     *
     * @param weight of the ack, rough, in bytes
     */
    public synchronized void rememberTry(String tryId, TurnAck ack, long weight) {
        tries.put(tryId, ack);
        triesWeight += weight;
    }

    /** Whether the try staged an ack with the same content. */
    public synchronized boolean isTryOf(TurnAck ack, String tryId) {
        return ack.equals(tries.get(tryId));
    }
}
