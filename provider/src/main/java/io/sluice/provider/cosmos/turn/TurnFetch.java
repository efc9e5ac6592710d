package io.sluice.provider.cosmos.turn;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.candidate.CandidateWait;
import io.sluice.provider.document.NewerDocumentException;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches turns: waits for candidates, and tries them one after the other until one can be taken. Thread-safe. */
final class TurnFetch {
    private static final Logger LOG = LoggerFactory.getLogger(TurnFetch.class);
    private static final long REMEMBER_BROKEN_MILLIS = 60_000;

    private final TurnFeeds feeds;
    private final PartitionReader partitions;
    private final TurnTaker taker;
    private final InstantSource clock;

    TurnFetch(TurnFeeds feeds, PartitionReader partitions, TurnTaker taker, InstantSource clock) {
        this.feeds = feeds;
        this.partitions = partitions;
        this.taker = taker;
        this.clock = clock;
    }

    Optional<LockedTurn> fetch(FetchRequest request, Duration pollTimeout) {
        if (request.isForNothing()) {
            return Optional.empty();
        }
        Call waiting = Call.onContainer(FetchRequest.OPERATION, FetchRequest.PATIENCE.plus(pollTimeout));
        CandidateWait<TurnCandidate> wait = feeds.of(request.filter()).begin(waiting, pollTimeout);
        Optional<TurnCandidate> candidate = wait.next();
        while (candidate.isPresent()) {
            TurnCandidate chosen = candidate.get();
            FetchResult result = FetchResult.AGAIN;
            long began = clock.millis();
            try {
                // What was not read yet is read now.
                boolean fresh = chosen.isUnread() || wait.isFresh(chosen);
                result = find(chosen)
                        .map(found -> taker.take(found, request, fresh))
                        .orElse(FetchResult.NOTHING_THERE);
                if (result.turn() != null) {
                    return Optional.of(result.turn());
                }
            } catch (ProviderException e) {
                if (e.retryable()) {
                    result = FetchResult.again(CandidateFeed.restAfter(began, clock.millis()));
                    throw e;
                }
                // One instance that can't be read or locked must not hide those behind it.
                if (!(e.getCause() instanceof NewerDocumentException)) {
                    LOG.atError()
                            .addKeyValue("instance", chosen.instanceId())
                            .setCause(e)
                            .log("an instance can't be read or locked, and is skipped for a minute");
                }
                result = FetchResult.pass(clock.millis() + REMEMBER_BROKEN_MILLIS);
            } finally {
                wait.giveBack(chosen, result.excludedUntil(), result.outcome());
            }
            candidate = wait.next();
        }
        return Optional.empty();
    }

    /** The turn of this instance, which nobody has to have found; nothing when it can't be taken now. */
    Optional<LockedTurn> fetch(String instanceId, FetchRequest request) {
        var candidate = TurnCandidate.unread(instanceId, false, 0);
        return Optional.ofNullable(taker.take(candidate, request, true).turn());
    }

    /** The candidate, where they serve with its messages; nothing when there are none to take. */
    private Optional<TurnCandidate> find(TurnCandidate candidate) {
        if (candidate.isAwaited()) {
            feeds.forgetStart(candidate.instanceId());
        }
        Call call = Call.onInstance(FetchRequest.OPERATION, candidate.instanceId(), FetchRequest.PATIENCE);
        // Of an instance that is not remembered the partition has to be read anyway, messages and all.
        return candidate.isUnread() && taker.isRemembered(candidate)
                ? candidate.readMissing(partitions, clock, call)
                : Optional.of(candidate);
    }
}
