package io.sluice.provider.cosmos.activity;

import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.cosmos.search.HeapBytes;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.HeldLocks;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An activity under our lock. Thread-safe: a renewal may run while it is acked. */
final class HeldActivity implements HeldLocks.Held {
    private static final int OBJECTS = 4;

    private final String token;
    private final ReentrantLock acking = new ReentrantLock();
    private Stored<QueueDocument> item;
    private boolean ambiguous;

    HeldActivity(String token, Stored<QueueDocument> item) {
        this.token = token;
        this.item = item;
    }

    @Override
    public String token() {
        return token;
    }

    /** Held by the one ack that is under way. */
    ReentrantLock acking() {
        return acking;
    }

    synchronized Stored<QueueDocument> item() {
        return item;
    }

    /** Takes over a newer version that still bears our token. */
    synchronized void moveTo(Stored<QueueDocument> newer) {
        if (!token.equals(newer.document().lockToken())) {
            throw new IllegalArgumentException("an etag is taken over only from a version that bears our token");
        }
        item = newer;
    }

    String instanceId() {
        return item().document().instanceId();
    }

    String id() {
        return item().document().id();
    }

    /** Whether it is the activity of this name. */
    boolean is(ScheduledActivityIdentifier named) {
        QueueDocument document = item().document();
        return document.instanceId().equals(named.instance())
                && Objects.equals(document.executionId(), named.executionId())
                && Objects.equals(document.activityId(), named.activityId());
    }

    @Nullable
    String sessionId() {
        return item().document().sessionId();
    }

    @Override
    public long lockedUntil() {
        Long until = item().document().lockedUntil();
        return until == null ? 0 : until;
    }

    @Override
    public long weight() {
        return HeapBytes.of(OBJECTS, item().document().workItem().length());
    }

    @Override
    public boolean isInDoubt() {
        return acking.isLocked() || isAmbiguous();
    }

    boolean isAlive(long nowMillis) {
        return lockedUntil() > nowMillis;
    }

    Duration left(long nowMillis) {
        return Duration.ofMillis(Math.max(0, lockedUntil() - nowMillis));
    }

    synchronized void markAmbiguous() {
        ambiguous = true;
    }

    synchronized boolean isAmbiguous() {
        return ambiguous;
    }

    String subject() {
        QueueDocument document = item().document();
        return "activity " + document.activityId() + " of instance '" + document.instanceId() + "'";
    }
}
