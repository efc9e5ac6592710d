package io.sluice.provider.cosmos.activity;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.Fields;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.BatchWrite;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.FieldPatch;
import io.sluice.provider.cosmos.request.WriteOutcome;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches activities: candidates, then one conditional lock; an item of a session takes the session in the same batch. */
final class ActivityFetch {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityFetch.class);
    private static final String OPERATION = "fetchWorkItem";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long REMEMBER_MILLIS = 5_000;
    /** An activity that can't be locked for good, as in a partition that is full, must not stand in the way of others. */
    private static final long REMEMBER_BROKEN_MILLIS = 60_000;

    /** A corrupt item comes up again, so that it stays noticed, but ever more rarely. */
    private static final long LONGEST_ASIDE_MILLIS = Duration.ofHours(1).toMillis();

    private static final int MOST_DOUBLINGS = 10;

    /** What a batch returns should stay far below what a request may have; a longer work item is read before. */
    private static final long MOST_RETURNED_CHARACTERS = 256 * 1024;

    private final ContainerRequests requests;
    private final QueueRows queue;
    private final WorkerFeeds feeds;
    private final HeldActivities held;
    private final Sessions sessions;
    private final InstantSource clock;

    ActivityFetch(
            ContainerRequests requests,
            QueueRows queue,
            WorkerFeeds feeds,
            HeldActivities held,
            Sessions sessions,
            InstantSource clock) {
        this.requests = requests;
        this.queue = queue;
        this.feeds = feeds;
        this.held = held;
        this.sessions = sessions;
        this.clock = clock;
    }

    Optional<LockedWorkItem> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tags) {
        if (tags instanceof TagFilter.None) {
            return Optional.empty();
        }
        CandidateFeed<ActivityCandidate> feed = feeds.of(new WorkerQueueView(tags, session != null));
        Call waiting = Call.onContainer(OPERATION, PATIENCE.plus(pollTimeout));
        CandidateFeed<ActivityCandidate>.Wait wait = session == null
                ? feed.begin(waiting, pollTimeout)
                : feed.begin(waiting, pollTimeout, session.ownerId());
        Optional<ActivityCandidate> candidate = wait.next();
        while (candidate.isPresent()) {
            ActivityCandidate chosen = candidate.get();
            Result result = Result.FREE;
            long began = clock.millis();
            try {
                result = attempt(chosen, lockTimeout, session);
                if (result.locked() != null) {
                    return Optional.of(result.locked());
                }
            } catch (ProviderException e) {
                if (e.retryable()) {
                    result = new Result(null, CandidateFeed.restAfter(began, clock.millis()));
                    throw e;
                }
                LOG.atError()
                        .addKeyValue("instance", chosen.item().document().instanceId())
                        .addKeyValue("item", chosen.key())
                        .setCause(e)
                        .log("activity passed over");
                result = skip(REMEMBER_BROKEN_MILLIS);
            } finally {
                if (result.owner() == null) {
                    wait.giveBack(chosen, result.excludedUntil());
                } else {
                    wait.leaveTo(result.owner(), chosen, result.excludedUntil());
                }
            }
            candidate = wait.next();
        }
        return Optional.empty();
    }

    /**
     * Perhaps an activity, and until when the item is not worth another look: for the time in which a replica that lags behind may still show it unlocked. All
     * keys that are remembered go into every query, whose size has a limit.
     *
     * @param owner of its session, for whom alone it may be worth one before
     */
    private record Result(
            @Nullable LockedWorkItem locked,
            long excludedUntil,
            @Nullable String owner) {
        static final Result FREE = new Result(null, 0);

        Result(@Nullable LockedWorkItem locked, long excludedUntil) {
            this(locked, excludedUntil, null);
        }
    }

    private Result skip(long forMillis) {
        return new Result(null, clock.millis() + forMillis);
    }

    private Result attempt(ActivityCandidate candidate, Duration lockTimeout, @Nullable SessionFetchConfig config) {
        Call call = WorkerQueueView.call(OPERATION, candidate.item().document(), PATIENCE);
        boolean isLarge = candidate.missingCharacters() > MOST_RETURNED_CHARACTERS;
        @Nullable Stored<QueueDocument> item = isLarge ? read(call, candidate.item()) : candidate.item();
        if (item == null) {
            return Result.FREE;
        }
        boolean isWhole = isLarge || candidate.isWhole();
        QueueDocument document = item.document();
        if (isWhole) {
            try {
                WorkItemJson.decode(document.workItem());
            } catch (DecodingException e) {
                return setAside(call, item, lockTimeout, e);
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
                long rest = Math.min(REMEMBER_MILLIS, Math.max(1, possible.heldUntil() - clock.millis()));
                return new Result(null, clock.millis() + rest, possible.heldBy());
            }
            claim = possible.write();
        }
        Optional<HeldActivity> locked = lock(call, item, claim, lockTimeout, isWhole);
        return locked.isPresent() ? taken(call, locked.get(), lockTimeout) : Result.FREE;
    }

    private Result taken(Call call, HeldActivity activity, Duration lockTimeout) {
        Stored<QueueDocument> item = activity.item();
        QueueDocument document = item.document();
        try {
            WorkItem decoded = WorkItemJson.decode(document.workItem());
            held.add(activity);
            return new Result(
                    new LockedWorkItem(decoded, activity.token(), document.attemptCount()),
                    Math.min(activity.lockedUntil(), clock.millis() + REMEMBER_MILLIS));
        } catch (DecodingException e) {
            return setAside(call, new Stored<>(document.beforeFetch(), item.etag()), lockTimeout, e);
        }
    }

    /** The item with its content, if it is still the one that was found. */
    private @Nullable Stored<QueueDocument> read(Call call, Stored<QueueDocument> found) {
        return requests.read(
                        call, found.document().instanceId(), found.document().id())
                .filter(row -> DocumentJson.etag(row).equals(found.etag()))
                .flatMap(queue::read)
                .map(document -> new Stored<>(document, found.etag()))
                .orElse(null);
    }

    /**
     * Locks an item nobody can decode for nobody, which counts an attempt and takes it from the head of the queue for every process: for the lock's
     * time at first, and twice as long each time after. A newer runtime may know what it is, so it is kept.
     */
    private Result setAside(Call call, Stored<QueueDocument> item, Duration lockTimeout, DecodingException why) {
        QueueDocument document = item.document();
        long millis = Math.min(
                LONGEST_ASIDE_MILLIS,
                lockTimeout.toMillis() << Math.min(MOST_DOUBLINGS, Math.max(0, document.attemptCount())));
        long until = clock.millis() + millis;
        FieldPatch patch = FieldPatch.set(Fields.LOCK_TOKEN, UUID.randomUUID().toString())
                .and(Fields.LOCKED_UNTIL, until)
                .and(Fields.ATTEMPT_COUNT, document.attemptCount() + 1);
        WriteOutcome outcome = requests.batchPatiently(
                call, document.instanceId(), List.of(new BatchWrite.PatchFields(document.id(), patch, item.etag())));
        LOG.atError()
                .addKeyValue("instance", document.instanceId())
                .addKeyValue("item", document.id())
                .addKeyValue("attempt", document.attemptCount() + 1)
                .addKeyValue("asideMillis", millis)
                .addKeyValue("counted", outcome.isCommitted())
                .setCause(why)
                .log("a work item can't be decoded and stays in the queue");
        return new Result(null, until);
    }

    private Optional<HeldActivity> lock(
            Call call, Stored<QueueDocument> item, @Nullable BatchWrite claim, Duration lockTimeout, boolean isWhole) {
        String token = UUID.randomUUID().toString();
        long until = clock.millis() + lockTimeout.toMillis();
        QueueDocument document = item.document();
        FieldPatch patch = FieldPatch.set(Fields.LOCK_TOKEN, token)
                .and(Fields.LOCKED_UNTIL, until)
                .and(Fields.ATTEMPT_COUNT, document.attemptCount() + 1);
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(new BatchWrite.PatchFields(document.id(), patch, item.etag()));
        if (claim != null) {
            writes.add(claim);
        }
        if (!isWhole) {
            writes.add(new BatchWrite.Return(document.id()));
        }
        WriteOutcome outcome = requests.batchPatiently(call, document.instanceId(), writes);
        HeldActivity activity = new HeldActivity(token, new Stored<>(document.taken(token, until), item.etag()));
        if (outcome instanceof WriteOutcome.Committed committed) {
            QueueDocument taken = isWhole ? document.taken(token, until) : returned(committed, document.id());
            activity.moved(new Stored<>(taken, committed.etags().get(0)));
        } else if (outcome instanceof WriteOutcome.Ambiguous) {
            Optional<Stored<QueueDocument>> mine = held.reread(call, activity);
            if (mine.isEmpty()) {
                return Optional.empty();
            }
            activity.moved(mine.get());
        } else if (outcome instanceof WriteOutcome.Rejected
                || outcome instanceof WriteOutcome.Throttled
                || outcome instanceof WriteOutcome.Transient) {
            throw Failures.of(call, outcome);
        } else {
            // Somebody was faster, with the item or with its session.
            feeds.raceLost();
            return Optional.empty();
        }
        return Optional.of(activity);
    }

    private static QueueDocument returned(WriteOutcome.Committed committed, String id) {
        return committed.documents().stream()
                .filter(document -> DocumentJson.id(document).equals(id))
                .reduce((before, after) -> after)
                .map(QueueDocument::fromJson)
                .orElseThrow(() -> new IllegalStateException("the batch returned no document '" + id + "'"));
    }
}
