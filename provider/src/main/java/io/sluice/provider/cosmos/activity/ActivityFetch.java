package io.sluice.provider.cosmos.activity;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.work.Refusals;
import io.sluice.provider.cosmos.work.TryPatience;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
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
    static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long REMEMBER_MILLIS = 5_000;
    /**
     * An activity that can't be locked permanently, as in a partition that is full, must not stand in the way of
     * others.
     */
    private static final long REMEMBER_BROKEN_MILLIS = 60_000;

    /** What a batch returns should stay far below what a request may have; a longer work item is read before. */
    private static final long MOST_RETURNED_CHARACTERS = 256 * 1024;

    private final ActivityQueue queue;
    private final ActivityLocker locker;
    private final HeldActivities held;
    private final Sessions sessions;
    private final OthersSessions others;
    private final InstantSource clock;
    private final TryPatience patience = new TryPatience();

    ActivityFetch(
            ActivityQueue queue, ActivityLocker locker, HeldActivities held, Sessions sessions, InstantSource clock) {
        this.queue = queue;
        this.locker = locker;
        this.held = held;
        this.sessions = sessions;
        this.others = queue.others();
        this.clock = clock;
    }

    Optional<LockedWorkItem> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tags) {
        if (tags instanceof TagFilter.None) {
            return Optional.empty();
        }
        Call waiting = Call.onContainer(OPERATION, PATIENCE);
        WorkerFilter filter = new WorkerFilter(tags, session == null ? null : session.ownerId());
        try (ActivityQueue.Wait wait = queue.begin(waiting, filter, pollTimeout)) {
            var refusals = new Refusals();
            Optional<ActivityCandidate> candidate = wait.next();
            while (candidate.isPresent()) {
                LockedWorkItem locked = attempt(wait, candidate.get(), lockTimeout, session, refusals);
                if (locked != null) {
                    return Optional.of(locked);
                }
                candidate = wait.next();
            }
            refusals.throwLast();
            return Optional.empty();
        }
    }

    private @Nullable LockedWorkItem attempt(
            ActivityQueue.Wait wait,
            ActivityCandidate candidate,
            Duration lockTimeout,
            @Nullable SessionFetchConfig session,
            Refusals refusals) {
        ActivityResult result = ActivityResult.of(new WorkOutcome.Returned(0));
        long began = clock.millis();
        try {
            result = attempt(candidate, lockTimeout, session);
            patience.served();
        } catch (ProviderException e) {
            if (e.retryable()) {
                result = ActivityResult.of(new WorkOutcome.Refused(clock.millis() - began));
                patience.refused();
                refusals.add(e);
                return null;
            }
            LOG.atError()
                    .addKeyValue("instance", candidate.item().document().instanceId())
                    .addKeyValue("item", candidate.key())
                    .setCause(e)
                    .log("an activity can't be read or locked, and is skipped for a minute");
            result = ActivityResult.of(new WorkOutcome.Broken(clock.millis() + REMEMBER_BROKEN_MILLIS));
        } finally {
            wait.conclude(candidate, result);
        }
        return result.locked();
    }

    private ActivityResult attempt(
            ActivityCandidate candidate, Duration lockTimeout, @Nullable SessionFetchConfig config) {
        Optional<ActivityResult> known = leaveToKnownOwner(candidate, config);
        if (known.isPresent()) {
            return known.get();
        }
        Call call = WorkerQueueView.call(OPERATION, candidate.item().document(), patience.next());
        return isRead(candidate)
                ? locker.read(call, candidate.item())
                        .match(item -> take(call, candidate, item, lockTimeout, config), ActivityResult::of)
                : take(call, candidate, candidate.item(), lockTimeout, config);
    }

    private static boolean isRead(ActivityCandidate candidate) {
        return candidate.found() == ActivityCandidate.Found.TRIED
                || candidate.missingCharacters() > MOST_RETURNED_CHARACTERS;
    }

    /** @param item the candidate, in the version that was read where it was */
    private ActivityResult take(
            Call call,
            ActivityCandidate candidate,
            Stored<QueueDocument> item,
            Duration lockTimeout,
            @Nullable SessionFetchConfig config) {
        boolean isWhole = isRead(candidate) || candidate.isWhole();
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
                var needs = WorkerFilter.needs(document);
                return ActivityResult.of(
                        new WorkOutcome.Unsuitable(needs, item.etag(), clock.millis() + REMEMBER_MILLIS));
            }
            Sessions.Claim possible = sessions.claim(call, document.instanceId(), sessionId, config);
            if (possible.write() == null) {
                return leaveToOwner(candidate, possible);
            }
            claim = possible.write();
        }
        boolean isProven = !candidate.isAnnounced();
        ActivityLocker.Lock lock =
                locker.lock(call, new ActivityLocker.Target(item, claim, isProven, isWhole), lockTimeout);
        @Nullable HeldActivity activity = lock.activity();
        if (activity != null) {
            return handOut(call.within(PATIENCE), new Taken(candidate.item(), item, activity), lockTimeout);
        }
        return lock.mayBeFree() ? ActivityResult.of(new WorkOutcome.Returned(0)) : ActivityResult.gone(item);
    }

    /** Without a request, where its session was seen to be another owner's. */
    private Optional<ActivityResult> leaveToKnownOwner(
            ActivityCandidate candidate, @Nullable SessionFetchConfig config) {
        OthersSessions.@Nullable Session session = session(candidate);
        return session == null || config == null
                ? Optional.empty()
                : others.find(session, config.ownerId()).map(holder -> leaveTo(candidate, holder));
    }

    private ActivityResult leaveToOwner(ActivityCandidate candidate, Sessions.Claim claim) {
        OthersSessions.Session session = Objects.requireNonNull(session(candidate), "its session was read");
        boolean isFound = !candidate.isAnnounced();
        return leaveTo(candidate, others.remember(session, claim.heldBy(), claim.heldUntil(), isFound));
    }

    private static OthersSessions.@Nullable Session session(ActivityCandidate candidate) {
        QueueDocument document = candidate.item().document();
        String sessionId = document.sessionId();
        return sessionId == null ? null : new OthersSessions.Session(document.instanceId(), sessionId);
    }

    /** It is its session's owner's, who is told of it, or finds it, as well. */
    private static ActivityResult leaveTo(ActivityCandidate candidate, OthersSessions.Holder holder) {
        return ActivityResult.leftTo(candidate.item().document(), holder.ownerId(), holder.untilMillis());
    }

    /**
     * What was locked.
     *
     * @param found the version that was found or announced
     * @param free the version on which it was locked
     */
    private record Taken(Stored<QueueDocument> found, Stored<QueueDocument> free, HeldActivity activity) {}

    private ActivityResult handOut(Call call, Taken taken, Duration lockTimeout) {
        HeldActivity activity = taken.activity();
        Stored<QueueDocument> item = activity.item();
        QueueDocument document = item.document();
        try {
            WorkItem decoded = WorkItemJson.decode(document.workItem());
            held.add(activity);
            return ActivityResult.locked(
                    new LockedWorkItem(decoded, activity.token(), document.attemptCount()),
                    List.of(taken.found(), taken.free()),
                    Math.min(activity.lockedUntil(), clock.millis() + REMEMBER_MILLIS));
        } catch (DecodingException e) {
            return defer(call, new Stored<>(document.beforeFetch(), item.etag()), lockTimeout, e);
        }
    }

    private ActivityResult defer(Call call, Stored<QueueDocument> item, Duration lockTimeout, DecodingException why) {
        return ActivityResult.of(new WorkOutcome.Broken(locker.defer(call, item, lockTimeout, why)));
    }
}
