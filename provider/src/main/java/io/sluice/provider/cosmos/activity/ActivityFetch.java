package io.sluice.provider.cosmos.activity;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.candidate.CandidateWait;
import io.sluice.provider.cosmos.candidate.TryOutcome;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches activities: candidates, then one conditional lock; an item of a session takes the session in the same batch.
 */
final class ActivityFetch {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityFetch.class);
    private static final String OPERATION = "fetchWorkItem";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long REMEMBER_MILLIS = 5_000;
    /**
     * An activity that can't be locked permanently, as in a partition that is full, must not stand in the way of
     * others.
     */
    private static final long REMEMBER_BROKEN_MILLIS = 60_000;

    /** What a batch returns should stay far below what a request may have; a longer work item is read before. */
    private static final long MOST_RETURNED_CHARACTERS = 256 * 1024;

    private final WorkerFeeds feeds;
    private final ActivityLocker locker;
    private final HeldActivities held;
    private final Sessions sessions;
    private final OthersSessions others;
    private final InstantSource clock;

    ActivityFetch(
            WorkerFeeds feeds, ActivityLocker locker, HeldActivities held, Sessions sessions, InstantSource clock) {
        this.feeds = feeds;
        this.locker = locker;
        this.held = held;
        this.sessions = sessions;
        this.others = new OthersSessions(clock);
        this.clock = clock;
    }

    Optional<LockedWorkItem> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tags) {
        if (tags instanceof TagFilter.None) {
            return Optional.empty();
        }
        CandidateFeed<ActivityCandidate> feed = feeds.of(new WorkerQueueView(tags, session != null));
        Call waiting = Call.onContainer(OPERATION, PATIENCE.plus(pollTimeout));
        CandidateWait<ActivityCandidate> wait = session == null
                ? feed.begin(waiting, pollTimeout)
                : feed.begin(waiting, pollTimeout, session.ownerId());
        Optional<ActivityCandidate> candidate = wait.next();
        while (candidate.isPresent()) {
            ActivityCandidate chosen = candidate.get();
            Result result = Result.AGAIN;
            long began = clock.millis();
            try {
                result = attempt(chosen, lockTimeout, session);
                if (result.locked() != null) {
                    feed.announced().outdated(chosen.item());
                    return Optional.of(result.locked());
                }
            } catch (ProviderException e) {
                if (e.retryable()) {
                    result = Result.again(CandidateFeed.restAfter(began, clock.millis()));
                    throw e;
                }
                LOG.atError()
                        .addKeyValue("instance", chosen.item().document().instanceId())
                        .addKeyValue("item", chosen.key())
                        .setCause(e)
                        .log("an activity can't be read or locked, and is skipped for a minute");
                result = skip(REMEMBER_BROKEN_MILLIS);
            } finally {
                if (result.owner() == null) {
                    wait.giveBack(chosen, result.excludedUntil(), result.outcome());
                } else {
                    wait.leaveTo(result.owner(), chosen, result.excludedUntil(), result.outcome());
                }
            }
            candidate = wait.next();
        }
        return Optional.empty();
    }

    /**
     * Perhaps an activity, and until when the item is not worth another try: for the time in which a replica that lags
     * behind may still show it unlocked. All keys that are remembered go into every query, whose size has a limit.
     *
     * @param owner of its session, for whom alone it may be worth one before
     */
    private record Result(
            @Nullable LockedWorkItem locked,
            long excludedUntil,
            @Nullable String owner,
            TryOutcome outcome) {
        static final Result FREE = new Result(null, 0);
        static final Result AGAIN = again(0);

        Result(@Nullable LockedWorkItem locked, long excludedUntil) {
            this(locked, excludedUntil, null, TryOutcome.DONE);
        }

        static Result again(long excludedUntil) {
            return new Result(null, excludedUntil, null, TryOutcome.AGAIN);
        }
    }

    private Result skip(long forMillis) {
        return new Result(null, clock.millis() + forMillis);
    }

    private Result attempt(ActivityCandidate candidate, Duration lockTimeout, @Nullable SessionFetchConfig config) {
        Optional<Result> known = leaveToKnownOwner(candidate, config);
        if (known.isPresent()) {
            return known.get();
        }
        Call call = WorkerQueueView.call(OPERATION, candidate.item().document(), PATIENCE);
        boolean isRead = candidate.found() == ActivityCandidate.Found.TRIED
                || candidate.missingCharacters() > MOST_RETURNED_CHARACTERS;
        @Nullable Stored<QueueDocument> item = isRead ? locker.read(call, candidate.item()) : candidate.item();
        if (item == null) {
            return Result.FREE;
        }
        boolean isWhole = isRead || candidate.isWhole();
        QueueDocument document = item.document();
        if (isWhole) {
            try {
                WorkItemJson.decode(document.workItem());
            } catch (DecodingException e) {
                return defer(call, item, lockTimeout, e);
            }
        }
        @Nullable BatchWrite claim = null;
        String sessionId = document.sessionId();
        if (sessionId != null) {
            if (config == null) {
                return skip(REMEMBER_MILLIS);
            }
            Sessions.Claim possible = sessions.claim(call, document.instanceId(), sessionId, config);
            if (possible.write() == null) {
                return leaveToOwner(candidate, possible);
            }
            claim = possible.write();
        }
        boolean isProven = candidate.found() == ActivityCandidate.Found.SEEN;
        ActivityLocker.Lock lock =
                locker.lock(call, new ActivityLocker.Target(item, claim, isProven, isWhole), lockTimeout);
        @Nullable HeldActivity activity = lock.activity();
        if (activity != null) {
            return handOut(call, activity, lockTimeout);
        }
        return lock.mayBeFree() ? Result.AGAIN : Result.FREE;
    }

    /** Without a request, where the session of an announced activity was seen to be another owner's. */
    private Optional<Result> leaveToKnownOwner(ActivityCandidate candidate, @Nullable SessionFetchConfig config) {
        OthersSessions.@Nullable Session session = announcedSession(candidate);
        return session == null || config == null
                ? Optional.empty()
                : others.find(session, config.ownerId()).map(holder -> leaveTo(candidate, holder));
    }

    private Result leaveToOwner(ActivityCandidate candidate, Sessions.Claim claim) {
        OthersSessions.@Nullable Session session = announcedSession(candidate);
        if (session == null) {
            long wait = Math.min(REMEMBER_MILLIS, Math.max(1, claim.heldUntil() - clock.millis()));
            return new Result(null, clock.millis() + wait, claim.heldBy(), TryOutcome.AGAIN);
        }
        return leaveTo(candidate, others.remember(session, claim.heldBy(), claim.heldUntil()));
    }

    /** An announced activity's session; null when it has none, or was not announced. */
    private static OthersSessions.@Nullable Session announcedSession(ActivityCandidate candidate) {
        QueueDocument document = candidate.item().document();
        String sessionId = document.sessionId();
        return candidate.found() == ActivityCandidate.Found.SEEN || sessionId == null
                ? null
                : new OthersSessions.Session(document.instanceId(), sessionId);
    }

    /**
     * An announced activity is its session's owner's, to whom it is announced as well. It is tried once more when the
     * owner's claim would lapse. If that was renewed, the owner lives; should it die later, the relay announces what is
     * overdue.
     */
    private static Result leaveTo(ActivityCandidate candidate, OthersSessions.Holder holder) {
        boolean isSecondTry = candidate.found() == ActivityCandidate.Found.TRIED;
        return new Result(
                null, holder.untilMillis(), holder.ownerId(), isSecondTry ? TryOutcome.DONE : TryOutcome.AGAIN);
    }

    private Result handOut(Call call, HeldActivity activity, Duration lockTimeout) {
        Stored<QueueDocument> item = activity.item();
        QueueDocument document = item.document();
        try {
            WorkItem decoded = WorkItemJson.decode(document.workItem());
            held.add(activity);
            return new Result(
                    new LockedWorkItem(decoded, activity.token(), document.attemptCount()),
                    Math.min(activity.lockedUntil(), clock.millis() + REMEMBER_MILLIS));
        } catch (DecodingException e) {
            return defer(call, new Stored<>(document.beforeFetch(), item.etag()), lockTimeout, e);
        }
    }

    private Result defer(Call call, Stored<QueueDocument> item, Duration lockTimeout, DecodingException why) {
        return new Result(null, locker.defer(call, item, lockTimeout, why));
    }
}
