package io.sluice.provider.cosmos.activity;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.document.DocumentType;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.document.TimeOrderedIds;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.slot.SlotSharing;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The worker side of the contract: fetching, acking, renewing and abandoning activities, and their sessions. Thread-safe. */
public final class Activities {
    private final WorkerFeeds feeds;
    private final Sessions sessions;
    private final ActivityFetch fetch;
    private final ActivityLocks locks;
    private final ActivityAcks acks;

    /**
     * What the activities of a provider need.
     *
     * @param intentStatus status of new intents, which tells whose they are to deliver
     * @param nanoTime the monotonic clock
     */
    public record Wiring(
            ContainerRequests requests,
            TimeOrderedIds ids,
            String intentStatus,
            SlotSharing slots,
            InstantSource clock,
            LongSupplier nanoTime) {}

    /** Wires the parts; no request is made. */
    public Activities(Wiring wiring) {
        ContainerRequests requests = wiring.requests();
        InstantSource clock = wiring.clock();
        QueueRows queue = new QueueRows(DocumentType.WORKER_QUEUE, wiring.nanoTime());
        feeds = new WorkerFeeds(requests, queue, wiring.slots(), clock, wiring.nanoTime());
        sessions = new Sessions(requests, clock);
        HeldActivities held = new HeldActivities(requests, clock);
        fetch = new ActivityFetch(requests, queue, feeds, held, sessions, clock);
        locks = new ActivityLocks(requests, held, sessions, feeds, clock);
        acks = new ActivityAcks(held, locks, wiring);
    }

    /**
     * Activities were queued by this process.
     *
     * @param known those whose versions are known, all or none
     */
    public void queued(List<Stored<QueueDocument>> known) {
        feeds.queued(known);
    }

    /** Ends the waits of all workers; nothing is handed out any more. */
    public void close() {
        feeds.close();
    }

    /** See {@link io.sluice.provider.Provider#fetchWorkItem}. */
    public Optional<LockedWorkItem> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tags) {
        return fetch.fetch(lockTimeout, pollTimeout, session, tags);
    }

    /** See {@link io.sluice.provider.Provider#ackWorkItem}. */
    public void ack(String lockToken, @Nullable WorkItem completion) {
        acks.ack(lockToken, completion);
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
        return sessions.renew(ownerIds, extendFor, idleTimeout);
    }

    /** See {@link io.sluice.provider.Provider#cleanupOrphanedSessions}. */
    public int cleanUpSessions() {
        return sessions.cleanUp();
    }
}
