package io.sluice.provider.cosmos.turn;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.cosmos.slot.SlotSharing;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The orchestrator queue as this process's dispatchers see it: one feed per capability filter, since what is incompatible for one dispatcher may suit
 * another. Thread-safe.
 */
public final class TurnFeeds {
    private final ConcurrentMap<Optional<DispatcherCapabilityFilter>, Queue> queues = new ConcurrentHashMap<>();
    private final AwaitedStarts waiting;
    private final ContainerRequests requests;
    private final QueueRows rows;
    private final InstantSource clock;
    private final InstantSource service;
    private final LongSupplier nanoTime;
    private final SlotSharing slots;
    private volatile boolean closed;

    private record Queue(CandidateFeed<TurnCandidate> feed, TurnScreening screening) {}

    TurnFeeds(
            ContainerRequests requests,
            QueueRows rows,
            SlotSharing slots,
            InstantSource clock,
            InstantSource service,
            LongSupplier nanoTime) {
        this.slots = slots;
        this.waiting = new AwaitedStarts(clock);
        this.requests = requests;
        this.rows = rows;
        this.clock = clock;
        this.service = service;
        this.nanoTime = nanoTime;
    }

    CandidateFeed<TurnCandidate> of(@Nullable DispatcherCapabilityFilter filter) {
        CandidateFeed<TurnCandidate> feed = queue(filter).feed();
        if (closed) {
            feed.close();
        }
        return feed;
    }

    /** Ends the waits of all dispatchers; nothing is handed out any more. */
    public void close() {
        closed = true;
        each(CandidateFeed::close);
    }

    private Queue queue(@Nullable DispatcherCapabilityFilter filter) {
        return queues.computeIfAbsent(Optional.ofNullable(filter), key -> {
            TurnScreening screening = new TurnScreening(
                    requests, rows, new TurnScreening.Times(clock, service, nanoTime), waiting::contains, filter);
            TurnQuery query = new TurnQuery(requests, rows, clock, waiting::contains, screening);
            SlotShare share = slots.of("turns", key.toString());
            return new Queue(new CandidateFeed<>(query, share, clock, nanoTime), screening);
        });
    }

    /** Another process was faster with an instance. */
    void raceLost() {
        each(CandidateFeed::raceLost);
    }

    /**
     * An instance that was found is pinned to a version that the filter does not take, by this version of its head.
     *
     * @param startId the newest of its messages that begin an execution; null for none
     */
    void unsuitable(
            @Nullable DispatcherCapabilityFilter filter, String instanceId, String etag, @Nullable String startId) {
        Queue queue = queue(filter);
        if (queue.screening().unsuitable(instanceId, etag, startId)) {
            // What was found with it may be no better: all of it is judged by one query.
            queue.feed().restart();
        }
    }

    /** A message became visible, or will. */
    public void messageFor(String instanceId, long visibleAtMillis) {
        if (visibleAtMillis > clock.millis()) {
            each(feed -> feed.wakeAt(visibleAtMillis));
        } else {
            messagesFor(instanceId);
        }
    }

    /** Messages that may be taken now have come for an instance. */
    public void messagesFor(String instanceId) {
        // With several feeds nobody can say which of them the instance suits.
        boolean taken = queues.size() == 1
                && queues.values()
                        .iterator()
                        .next()
                        .feed()
                        .offer(TurnCandidate.announced(instanceId, nanoTime.getAsLong()));
        if (!taken) {
            each(CandidateFeed::wake);
        }
    }

    /** The instance may have been set aside for want of a start, which is coming. */
    public void allow(String instanceId) {
        waiting.forget(instanceId);
        each(feed -> feed.allow(instanceId));
    }

    /** A start for an instance that may have been set aside for want of it. */
    public void startFor(String instanceId) {
        allow(instanceId);
        messagesFor(instanceId);
    }

    /** It was looked at, and lacks its start. Says until when it is not worth another look, unless its start comes. */
    long setAside(String instanceId) {
        return waiting.setAside(instanceId);
    }

    /** The start that an instance was set aside for is there; whatever comes of it, it is not shown for it again. */
    void startSeen(String instanceId) {
        waiting.forget(instanceId);
    }

    /** We hold the instance until then. */
    void locked(String instanceId, long untilMillis) {
        waiting.forget(instanceId);
        each(feed -> feed.exclude(instanceId, untilMillis));
    }

    /** The instance is free again. Messages that this process put into its queue meanwhile are offered; others' are soon looked for. */
    void released(String instanceId) {
        waiting.forget(instanceId);
        boolean messaged = false;
        for (Queue queue : queues.values()) {
            messaged |= queue.feed().release(instanceId);
        }
        if (messaged) {
            messagesFor(instanceId);
        }
    }

    /** The instance is free again, with the messages it had before. */
    void returned(String instanceId) {
        each(feed -> {
            feed.include(instanceId);
            feed.restart();
        });
    }

    private void each(Consumer<CandidateFeed<TurnCandidate>> action) {
        queues.values().forEach(queue -> action.accept(queue.feed()));
    }
}
