package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.turn.lock.TurnLocks;
import io.sluice.provider.cosmos.turn.read.PartitionReader;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnCandidate;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.cosmos.work.Refusals;
import io.sluice.provider.cosmos.work.TryPatience;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.NewerDocumentException;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches turns: waits for candidates, and tries them one after the other until one can be taken. Thread-safe. */
public final class TurnFetch {
    private static final Logger LOG = LoggerFactory.getLogger(TurnFetch.class);
    private static final long REMEMBER_BROKEN_MILLIS = 60_000;

    private final TurnQueue queue;
    private final PartitionReader partitions;
    private final TurnTaker taker;
    private final InstantSource clock;
    private final TryPatience patience = new TryPatience();

    /**
     * Wires the parts; no request is made.
     *
     * @param droppingOrphanEvents whether events raised to instances that never started are dropped
     */
    public TurnFetch(
            StoredInstances stored,
            TurnQueue queue,
            TurnLocks locks,
            Deletions deletions,
            boolean droppingOrphanEvents) {
        this.queue = queue;
        this.partitions = stored.partitions();
        this.clock = stored.clock();
        UnstartedInstances unstarted =
                new UnstartedInstances(stored.histories(), new OrphanMessages(stored, droppingOrphanEvents), queue);
        this.taker = new TurnTaker(
                new CandidateReader(stored, queue.remembered(), deletions, unstarted),
                new TurnOpener(stored, queue),
                new LockedTurnReader(stored, locks, queue),
                clock);
    }

    /** See {@link io.sluice.provider.Provider#fetchOrchestrationItem}. */
    public Optional<LockedTurn> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter capabilities) {
        FetchRequest request = FetchRequest.of(lockTimeout, capabilities);
        if (request.isForNothing()) {
            return Optional.empty();
        }
        Call waiting = Call.onContainer(FetchRequest.OPERATION, FetchRequest.PATIENCE);
        try (TurnQueue.Wait wait = queue.begin(waiting, request.filter(), pollTimeout)) {
            var refusals = new Refusals();
            Optional<TurnCandidate> candidate = wait.next();
            while (candidate.isPresent()) {
                LockedTurn turn = attempt(wait, candidate.get(), request, refusals);
                if (turn != null) {
                    return Optional.of(turn);
                }
                candidate = wait.next();
            }
            refusals.throwLast();
            return Optional.empty();
        }
    }

    private @Nullable LockedTurn attempt(
            TurnQueue.Wait wait, TurnCandidate candidate, FetchRequest request, Refusals refusals) {
        FetchResult result = FetchResult.AGAIN;
        long began = clock.millis();
        try {
            Duration tried = patience.next();
            result = find(candidate, tried)
                    .map(found -> taker.take(found, request, tried))
                    .orElse(FetchResult.nothingThere(""));
            patience.served();
        } catch (ProviderException e) {
            if (e.retryable()) {
                result = FetchResult.of(new WorkOutcome.Refused(clock.millis() - began));
                patience.refused();
                refusals.add(e);
                return null;
            }
            // One instance that can't be read or locked must not hide those behind it.
            if (!(e.getCause() instanceof NewerDocumentException)) {
                LOG.atError()
                        .addKeyValue("instance", candidate.instanceId())
                        .setCause(e)
                        .log("an instance can't be read or locked, and is skipped for a minute");
            }
            result = FetchResult.of(new WorkOutcome.Broken(clock.millis() + REMEMBER_BROKEN_MILLIS));
        } finally {
            wait.conclude(candidate, result.outcome(), result.startId());
        }
        return result.turn();
    }

    /** The turn of this instance, which nobody has to have found; nothing when it can't be taken now. */
    public Optional<LockedTurn> fetch(String instanceId, Duration lockTimeout) {
        DocumentIds.checkInstanceId(FetchRequest.OPERATION, instanceId);
        var candidate = TurnCandidate.unread(instanceId, false);
        return Optional.ofNullable(taker.take(candidate, FetchRequest.of(lockTimeout, null), FetchRequest.PATIENCE)
                .turn());
    }

    /** The candidate, where they serve with its messages; nothing when there are none to take. */
    private Optional<TurnCandidate> find(TurnCandidate candidate, Duration within) {
        if (candidate.isAwaited()) {
            queue.forgetStart(candidate.instanceId());
        }
        Call call = Call.onInstance(FetchRequest.OPERATION, candidate.instanceId(), within);
        // Of an instance that is not remembered the partition has to be read anyway, messages and all.
        return candidate.isUnread() && taker.isRemembered(candidate)
                ? readMissing(candidate, call)
                : Optional.of(candidate);
    }

    /**
     * The same with its messages, by one query of its partition, whose plan the SDK keeps; empty when there are none to
     * take.
     */
    private Optional<TurnCandidate> readMissing(TurnCandidate candidate, Call call) {
        PartitionReader.Arrived found = partitions.messages(call, candidate.instanceId(), clock.millis());
        return found.messages().isEmpty()
                ? Optional.empty()
                : Optional.of(new TurnCandidate(
                        candidate.instanceId(),
                        found.messages(),
                        TurnCandidate.Content.WHOLE,
                        found.exhaustive(),
                        candidate.isAwaited()));
    }
}
