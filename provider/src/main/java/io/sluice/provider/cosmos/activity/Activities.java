package io.sluice.provider.cosmos.activity;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The worker side of the contract: fetching, acking, renewing and abandoning activities, and their sessions.
 * Thread-safe.
 */
public final class Activities {
    private final ActivityQueue queue;
    private final SessionRenewal renewal;
    private final SessionCleanup cleanup;
    private final ActivityFetch fetch;
    private final ActivityLocks locks;
    private final ActivityAcks acks;

    /** Wires the parts; no request is made. */
    public Activities(
            ContainerRequests requests,
            ActivityQueue queue,
            ActivityCompletions completions,
            SessionSettings settings,
            InstantSource clock) {
        this.queue = queue;
        OwnSessions own = new OwnSessions();
        Sessions sessions = new Sessions(requests, own, clock);
        renewal = new SessionRenewal(requests, own, settings.atOnce(), clock);
        cleanup = new SessionCleanup(requests, own, settings.random(), clock);
        HeldActivities held = new HeldActivities(requests, clock);
        ActivityLocker locker = new ActivityLocker(requests, held, queue, clock);
        fetch = new ActivityFetch(queue, locker, held, sessions, clock);
        locks = new ActivityLocks(requests, held, sessions, queue, clock);
        acks = new ActivityAcks(requests, held, locks, completions, clock);
    }

    /**
     * Announces activities that this process queued.
     *
     * @param known those whose versions are known, all or none
     */
    public void announce(List<Stored<QueueDocument>> known) {
        queue.announce(known);
    }

    /** Ends the waits of all workers; nothing is given out any more. */
    public void close() {
        queue.close();
    }

    /** See {@link io.sluice.provider.Provider#fetchWorkItem}. */
    public Optional<LockedWorkItem> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tags) {
        return fetch.fetch(lockTimeout, pollTimeout, session, tags);
    }

    /**
     * See {@link io.sluice.provider.Provider#ackWorkItem}.
     *
     * @param named what the lock has to be on; null when the token alone counts
     * @return the message that the ack put into the queue of the activity's own instance
     */
    public Optional<QueueDocument> ack(
            String lockToken, @Nullable ScheduledActivityIdentifier named, @Nullable WorkItem completion) {
        return acks.ack(lockToken, named, completion);
    }

    /** See {@link io.sluice.provider.Provider#renewWorkItemLock}. */
    public void renew(String lockToken, Duration extendFor) {
        locks.renew(lockToken, extendFor);
    }

    /** See {@link io.sluice.provider.Provider#abandonWorkItem}. */
    public void abandon(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        locks.abandon(lockToken, delay, ignoreAttempt);
    }

    /** See {@link io.sluice.provider.Provider#renewSessionLock}. */
    public int renewSessions(List<String> ownerIds, Duration extendFor, Duration idleTimeout) {
        return renewal.renew(ownerIds, extendFor, idleTimeout);
    }

    /** See {@link io.sluice.provider.Provider#cleanupOrphanedSessions}. */
    public int cleanUpSessions() {
        return cleanup.cleanUp();
    }
}
