package io.sluice.provider.cosmos.turn;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.deletion.Meeting;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.StagedCommit;
import io.sluice.provider.cosmos.document.StagedTry;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.Tally;
import io.sluice.provider.cosmos.staged.Staging;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches turns: candidates, the partition, then lock and tags in one batch, with the history read beside it. */
final class TurnFetch {
    private static final Logger LOG = LoggerFactory.getLogger(TurnFetch.class);
    private static final String OPERATION = "fetchOrchestrationItem";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LOOKS = 3;
    private static final long REMEMBER_LOCKED_MILLIS = 5_000;
    private static final long REMEMBER_BROKEN_MILLIS = 60_000;
    private static final long REMEMBER_CONTENDED_MILLIS = 1_000;

    private final PartitionReader partitions;
    private final Histories histories;
    private final TurnLocker locker;
    private final TurnLocks locks;
    private final TurnFeeds feeds;
    private final HeldTurns held;
    private final TurnFinisher finisher;
    private final Staging staging;
    private final OrphanMessages orphans;
    private final InstanceCache cache;
    private final Deletions deletions;
    private final InstantSource clock;

    /** Other processes take what this one would: histories are then read under the lock, not beside it. */
    private volatile boolean lostLastRace;

    TurnFetch(TurnParts parts) {
        this.partitions = parts.partitions();
        this.histories = parts.histories();
        this.locker = new TurnLocker(parts.requests(), partitions, parts.clock());
        this.locks = new TurnLocks(parts);
        this.feeds = parts.feeds();
        this.held = parts.held();
        this.finisher = parts.finisher();
        this.staging = parts.staging();
        this.orphans = new OrphanMessages(parts.requests(), partitions);
        this.cache = parts.cache();
        this.deletions = parts.deletions();
        this.clock = parts.clock();
    }

    Optional<LockedTurn> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter filter) {
        if (filter != null && filter.supportedDuroxideVersions().isEmpty()) {
            return Optional.empty();
        }
        CandidateFeed<TurnCandidate>.Wait wait =
                feeds.of(filter).begin(Call.onContainer(OPERATION, PATIENCE.plus(pollTimeout)), pollTimeout);
        Optional<TurnCandidate> candidate = wait.next();
        while (candidate.isPresent()) {
            TurnCandidate chosen = candidate.get();
            long excludedUntil = 0;
            long began = clock.millis();
            try {
                Optional<TurnCandidate> seen = seen(chosen);
                // What was announced is looked at just now.
                boolean fresh = chosen.isAnnounced() || wait.isFresh(chosen);
                Result result =
                        seen.isEmpty() ? Result.NOTHING_THERE : new Try(seen.get(), lockTimeout, filter, fresh).run();
                if (result.turn() != null) {
                    return Optional.of(result.turn());
                }
                excludedUntil = result.excludedUntil();
            } catch (ProviderException e) {
                if (e.retryable()) {
                    excludedUntil = CandidateFeed.restAfter(began, clock.millis());
                    throw e;
                }
                // One instance that can't be read or locked must not hide those behind it.
                LOG.atError()
                        .addKeyValue("instance", chosen.instanceId())
                        .setCause(e)
                        .log("instance passed over");
                excludedUntil = clock.millis() + REMEMBER_BROKEN_MILLIS;
            } finally {
                wait.giveBack(chosen, excludedUntil);
            }
            candidate = wait.next();
        }
        return Optional.empty();
    }

    private Optional<TurnCandidate> seen(TurnCandidate candidate) {
        if (candidate.isAwaited()) {
            feeds.startSeen(candidate.instanceId());
        }
        return candidate.isAnnounced()
                ? candidate.look(partitions, clock, Call.onInstance(OPERATION, candidate.instanceId(), PATIENCE))
                : Optional.of(candidate);
    }

    /** Either a turn, or until when the instance is not worth another look. */
    private record Result(@Nullable LockedTurn turn, long excludedUntil) {
        static final Result NOTHING_THERE = new Result(null, 0);

        static Result skipped(long untilMillis) {
            return new Result(null, untilMillis);
        }
    }

    /**
     * Everything that is known of an instance before it is locked.
     *
     * @param isCut whether of the messages only the kind is known, and the lock is to bring the rest
     */
    private record Known(
            @Nullable Stored<InstanceDocument> head,
            List<QueueDocument> messages,
            boolean isCut,
            KeyValues keyValues,
            InstanceCache.@Nullable Entry cached,
            List<Intent> openIntents,
            List<Stored<StagedTry>> rubbish) {
        /** The same with the messages that were tagged, and are whole now. */
        Known of(List<QueueDocument> tagged) {
            return new Known(head, tagged, false, keyValues, cached, openIntents, rubbish);
        }

        List<WorkItem> items() {
            return isCut ? List.of() : Messages.decode(messages);
        }

        /** Whether it only now starts. */
        boolean isStarting() {
            return head == null && messages.stream().anyMatch(Messages::isStart);
        }
    }

    /** The attempt to lock one candidate. */
    private final class Try {
        private final TurnCandidate candidate;
        private final String instanceId;
        private final Duration lockTimeout;
        private final @Nullable DispatcherCapabilityFilter filter;
        private final boolean complete;
        private final Call call;

        Try(TurnCandidate candidate, Duration lockTimeout, @Nullable DispatcherCapabilityFilter filter, boolean fresh) {
            this.candidate = candidate;
            this.instanceId = candidate.instanceId();
            this.lockTimeout = lockTimeout;
            this.filter = filter;
            this.complete = fresh && candidate.exhaustive() && candidate.isLockable();
            this.call = Call.onInstance(OPERATION, instanceId, PATIENCE);
        }

        Result run() {
            Result result = complete ? withoutReading() : null;
            for (int look = 0; result == null && look < LOOKS; look++) {
                result = withReading();
            }
            return result == null ? Result.skipped(clock.millis() + REMEMBER_CONTENDED_MILLIS) : result;
        }

        /** The candidate query showed all messages, and the rest is known or new: the lock's own condition proves it. Null: have a look. */
        private @Nullable Result withoutReading() {
            InstanceCache.@Nullable Entry entry = cache.get(instanceId).orElse(null);
            if (entry != null) {
                // Who deleted or continued it elsewhere may have made it suit.
                InstanceDocument head = entry.head().document();
                return head.isLocked(clock.millis()) || !suits(head)
                        ? null
                        : lock(new Known(
                                entry.head(),
                                candidate.messages(),
                                isCut(),
                                entry.keyValues(),
                                entry,
                                entry.openIntents(),
                                List.of()));
            }
            return candidate.messages().stream().noneMatch(Messages::isStart)
                    ? null
                    : lock(new Known(null, candidate.messages(), isCut(), KeyValues.NONE, null, List.of(), List.of()));
        }

        private boolean isCut() {
            return candidate.content() != TurnCandidate.Content.WHOLE;
        }

        /** Null when somebody moved the instance meanwhile. */
        private @Nullable Result withReading() {
            // One moment for the messages and for the lock: of a lock that lapses in between, only what has come since
            // would be taken, out of order.
            long moment = clock.millis();
            PartitionState state = look(moment);
            Optional<Stored<StagedCommit>> unfinished = state.unfinished().stored();
            if (unfinished.isPresent()) {
                finisher.finish(call, unfinished.get());
                return null;
            }
            if (state.messages().isEmpty()) {
                return Result.NOTHING_THERE;
            }
            Stored<InstanceDocument> head = state.instance();
            Meeting met = head == null ? Meeting.FREE : deletions.meet(call, head.document());
            if (met == Meeting.GONE) {
                return null;
            }
            if (head != null && isTaken(head.document(), met, moment)) {
                Long until = head.document().lockedUntil();
                return Result.skipped(Math.min(until == null ? 0 : until, clock.millis() + REMEMBER_LOCKED_MILLIS));
            }
            List<WorkItem> items = Messages.decode(state.messageDocuments());
            // A head that the first fetch of a dead process left behind has begun nothing.
            boolean unproven = head == null || !head.document().isSurelyAcked();
            if (unproven && Messages.start(items) == null && !hasHistory(head)) {
                return setAside(state, items);
            }
            InstanceCache.@Nullable Entry cached = cache.get(instanceId)
                    .filter(entry -> head != null && entry.head().etag().equals(head.etag()))
                    .orElse(null);
            return lock(new Known(
                    head,
                    state.messageDocuments(),
                    false,
                    state.keyValues(),
                    cached,
                    state.openIntents(),
                    state.unfinished().tries()));
        }

        /** Of an instance that has not moved since this process acked it, only what has come since is read. */
        private PartitionState look(long moment) {
            InstanceCache.@Nullable Entry entry = cache.get(instanceId).orElse(null);
            if (entry != null) {
                PartitionState arrived = partitions.arrived(call, instanceId, moment);
                if (arrived.isAt(entry.head().etag())) {
                    return arrived.with(entry.keyValues(), entry.openIntents());
                }
                cache.forget(instanceId);
            }
            return partitions.visible(call.again(), instanceId, moment);
        }

        /** The lock of a deletion that was given up is far from lapsing, and free to take. */
        private boolean isTaken(InstanceDocument head, Meeting met, long moment) {
            return head.isLocked(moment) && (met == Meeting.BUSY || !Deletions.isHeldByOne(head));
        }

        private boolean hasHistory(@Nullable Stored<InstanceDocument> head) {
            long execution = head == null ? 1 : head.document().currentExecutionId();
            Histories.Decoded history = histories.read(call, instanceId, execution);
            return history.error() != null || !history.events().isEmpty();
        }

        /** Messages to an instance that never started: orphan queue messages are dropped, anything else waits for its start. */
        private Result setAside(PartitionState state, List<WorkItem> items) {
            return orphans.dropped(call, instanceId, state, items)
                    ? Result.NOTHING_THERE
                    : Result.skipped(feeds.setAside(instanceId));
        }

        /** Null when somebody was faster. */
        private @Nullable Result lock(Known known) {
            Stored<InstanceDocument> head = known.head();
            if (head != null && !suits(head.document())) {
                feeds.unsuitable(filter, instanceId, head.etag(), Messages.newestStart(known.messages()));
                return Result.skipped(clock.millis() + REMEMBER_LOCKED_MILLIS);
            }
            TurnLocker.check(OPERATION, instanceId);
            InstanceDocument skeleton = Messages.skeleton(instanceId, known.items(), clock.millis());
            long execution = head == null ? 1 : head.document().currentExecutionId();
            // Reading may have taken a while.
            Call locking = call.again();
            Histories.Coming history = history(locking, known, execution);
            Optional<TurnLocker.Lock> lock = Optional.empty();
            try {
                lock = locker.lock(
                        locking, new TurnLocker.Target(head, skeleton, known.messages(), known.isCut()), lockTimeout);
            } finally {
                lostLastRace = lock.isEmpty();
                if (lock.isEmpty()) {
                    history.cancel();
                }
            }
            if (lock.isEmpty()) {
                cache.forget(instanceId);
                feeds.raceLost();
                return null;
            }
            return fetched(known.of(lock.get().messages()), lock.get(), history);
        }

        /** Locked: the history, for as long as the lock can be kept meanwhile. */
        private Result fetched(Known tagged, TurnLocker.Lock lock, Histories.Coming history) {
            List<WorkItem> items = tagged.items();
            HeldTurn turn = hold(tagged, lock, items);
            if (tagged.messages().isEmpty()) {
                history.cancel();
                return withoutMessages(turn);
            }
            if (tagged.head() == null && Messages.start(items) == null) {
                history.cancel();
                return withoutStart(turn);
            }
            tagged.rubbish().forEach(this::remove);
            try {
                if (!keep(turn)) {
                    history.cancel();
                    return lapsed(turn);
                }
                Optional<Histories.Decoded> read =
                        history.await(() -> keep(turn)).filter(whole -> keep(turn));
                return read.isPresent() ? new Result(lockedTurn(tagged, items, turn, read.get()), 0) : lapsed(turn);
            } catch (ProviderException e) {
                giveBack(turn, e);
                throw e;
            }
        }

        /** What was found turned out malformed when it was locked: there is nothing to hand out. */
        private Result withoutMessages(HeldTurn turn) {
            locks.abandon(turn.token(), null, true);
            return Result.skipped(clock.millis() + REMEMBER_CONTENDED_MILLIS);
        }

        /** What began like a start can't be decoded as one: the instance waits for another. */
        private Result withoutStart(HeldTurn turn) {
            locks.abandon(turn.token(), null, true);
            return Result.skipped(feeds.setAside(instanceId));
        }

        /** Whoever fetches a turn can renew it from then on, so half of the lock's time or more must be left; false when the lock is lost. */
        private boolean keep(HeldTurn turn) {
            if (turn.lockedUntil() - clock.millis() >= lockTimeout.toMillis() / 2) {
                return true;
            }
            try {
                locks.renew(turn.token(), lockTimeout);
                return true;
            } catch (ProviderException e) {
                if (e.retryable()) {
                    throw e;
                }
                LOG.atWarn()
                        .addKeyValue("instance", instanceId)
                        .addKeyValue("why", e.getMessage())
                        .log("the lock ran out while the turn was read");
                return false;
            }
        }

        /** As a race that was lost, but not to be run again at once; what nobody was handed counts no attempt. */
        private Result lapsed(HeldTurn turn) {
            cache.forget(instanceId);
            try {
                locks.abandon(turn.token(), null, true);
            } catch (ProviderException e) {
                LOG.atDebug().addKeyValue("instance", instanceId).setCause(e).log("nothing to give back");
            }
            return Result.skipped(clock.millis() + Math.min(lockTimeout.toMillis(), REMEMBER_LOCKED_MILLIS));
        }

        /** Parts of a turn whose lock was lost before its commit. The next holder will find those that can't be removed now. */
        private void remove(Stored<StagedTry> rubbish) {
            try {
                staging.remove(call, rubbish);
            } catch (ProviderException e) {
                LOG.atWarn()
                        .addKeyValue("instance", instanceId)
                        .setCause(e)
                        .log("parts of a lost turn stay for the next holder");
            }
        }

        /** A fetch that fails should hold no lock and count no attempt; if this fails too, the lock lapses by itself. */
        private void giveBack(HeldTurn turn, ProviderException why) {
            try {
                locks.abandon(turn.token(), null, true);
            } catch (ProviderException e) {
                why.addSuppressed(e);
            }
        }

        private Histories.Coming history(Call reading, Known known, long execution) {
            if (known.cached() != null) {
                Histories.Decoded history = known.cached().history();
                return wanted -> Optional.of(history);
            }
            // An instance that only now starts has no history, unless this process was told to append some.
            if (known.isStarting() && !histories.wasAppendedTo(instanceId)) {
                return wanted -> Optional.of(Histories.Decoded.EMPTY);
            }
            // Beside the lock it saves a round trip; who loses the lock has read it for nothing.
            return lostLastRace
                    ? histories.later(reading, instanceId, execution)
                    : histories.begin(reading, instanceId, execution);
        }

        private HeldTurn hold(Known known, TurnLocker.Lock lock, List<WorkItem> items) {
            boolean created = known.head() == null;
            boolean acked = known.head() != null && known.head().document().isSurelyAcked();
            HeldTurn turn = new HeldTurn(
                    lock.token(),
                    new Stored<>(
                            Messages.named(lock.head().document(), items),
                            lock.head().etag()),
                    new HeldTurn.Contents(known.messages(), known.keyValues(), known.openIntents(), created, acked));
            held.add(turn);
            feeds.locked(instanceId, turn.lockedUntil());
            return turn;
        }

        private LockedTurn lockedTurn(Known known, List<WorkItem> items, HeldTurn turn, Histories.Decoded history) {
            if (history.error() == null) {
                turn.historyIs(history);
            }
            OrchestrationItem item = Messages.item(turn.head().document(), items, history, known.keyValues());
            long messageCharacters = known.messages().stream()
                    .mapToLong(message -> message.workItem().length())
                    .sum();
            Tally.partitionSeen(history.characters() + messageCharacters);
            int attempts = known.messages().stream()
                    .mapToInt(QueueDocument::attemptCount)
                    .max()
                    .orElse(0);
            return new LockedTurn(item, turn.token(), attempts + 1);
        }

        private boolean suits(InstanceDocument instance) {
            return TurnFetch.suits(filter, instance.pinnedVersionPacked());
        }
    }

    /** Whether a dispatcher with this filter may take what is pinned to this version; null is none. */
    static boolean suits(@Nullable DispatcherCapabilityFilter filter, @Nullable Long pinnedVersionPacked) {
        return filter == null
                || filter.accepts(pinnedVersionPacked == null ? null : SemanticVersion.fromPacked(pinnedVersionPacked));
    }
}
