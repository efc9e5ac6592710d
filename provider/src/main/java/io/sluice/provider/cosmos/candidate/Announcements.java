package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The work of one queue that was announced and not handled yet: ready to be tried, waited for, or under way. What is
 * announced for one candidate meanwhile is tried at once. Guarded by its owner's lock.
 *
 * <p>The protocol, with its model, is described in {@code docs/protocols/dispatch.md}.
 */
final class Announcements<C extends Candidate> {
    /** What is known to be all for a shorter time may not be when the lock is taken. */
    private static final long LEAST_HORIZON_MILLIS = 2_000;
    /** No horizon is longer. */
    private static final long LONGEST_HORIZON_MILLIS = Duration.ofMinutes(2).toMillis();

    private static final long SHORTEST_REST_MILLIS = 100;

    private final WorkQueue queue;
    private final CandidateMaker<C> maker;
    private final InstantSource clock;
    private final ReadyWork ready = new ReadyWork();
    private final LaterWork later = new LaterWork();
    private final Map<String, List<AnnouncedWork>> underWay = new HashMap<>();
    private final RecentDocuments handled = new RecentDocuments();
    private final AwaitedCompletions completions;
    private final FreeWorkers workers;
    private WorkFeed.@Nullable Subscription subscription;
    private long incompleteUntilMillis;
    private long ownAfterMillis;
    private int requested;
    /** When the first of the candidates that were passed over as excluded is excluded no more. */
    private long excludedUntilMillis = Long.MAX_VALUE;

    Announcements(WorkQueue queue, CandidateMaker<C> maker, FreeWorkers workers, InstantSource clock) {
        this.queue = queue;
        this.maker = maker;
        this.clock = clock;
        this.completions = new AwaitedCompletions(clock);
        this.workers = workers;
    }

    /** Announcements come from this subscription from now on. */
    void subscribed(WorkFeed.Subscription to, WorkFeed feed) {
        subscription = to;
        ownAfterMillis = feed.ownWorkAfter().toMillis();
        completions.waitFor(feed.completionsWithin().toMillis());
    }

    /** Turns that wait for completions. */
    AwaitedCompletions completions() {
        return completions;
    }

    /** Whether work that is there, or comes, is announced. */
    boolean areHealthy() {
        return subscription != null && subscription.isHealthy();
    }

    /** Whether the work of this candidate is announced to this process and no other. */
    boolean areOwn(String key) {
        return subscription != null && subscription.isOwn(key);
    }

    /** Takes an announcement. */
    void add(Announcement announcement, WorkFeed.Receipt receipt) {
        long now = clock.millis();
        String instanceId = announcement.instanceId();
        requested = Math.max(0, requested - 1);
        if (announcement.isCheck()) {
            if (queue == WorkQueue.ACTIVITIES) {
                // Each is announced by its id; an instance alone names none.
                receipt.handled();
                return;
            }
            ready.add(new AnnouncedWork(instanceId, instanceId, List.of(), 0, Settlement.of(receipt, 1)));
            return;
        }
        Map<Thing, List<AnnouncedDocument>> things = new LinkedHashMap<>();
        for (AnnouncedDocument document : announcement.documents()) {
            things.computeIfAbsent(thing(instanceId, document, now), thing -> new ArrayList<>())
                    .add(document);
        }
        Settlement settlement = Settlement.of(receipt, things.size());
        things.forEach((thing, documents) -> {
            long completeUntil = completeUntil(announcement, thing, now);
            add(new AnnouncedWork(thing.key(), instanceId, documents, completeUntil, settlement), thing.dueAt());
        });
        if (queue == WorkQueue.ACTIVITIES && !workers.areAny()) {
            ready.giveBack();
        }
    }

    private void add(AnnouncedWork work, long dueAt) {
        if (isGone(work)) {
            work.settlement().handleOne();
        } else if (dueAt == 0) {
            ready.add(work);
        } else {
            later.add(dueAt, work);
        }
    }

    /**
     * What is tried together.
     *
     * @param version of an activity, each of which is tried by itself; empty for messages
     * @param dueAt when (milliseconds); 0 for now
     */
    private record Thing(String key, String version, long dueAt) {}

    /** No relay looks further ahead than the longest horizon: what is said to be due later is looked at then. */
    private Thing thing(String instanceId, AnnouncedDocument document, long now) {
        long dueAt = document.dueAt() <= now ? 0 : Math.min(document.dueAt(), now + LONGEST_HORIZON_MILLIS);
        return queue == WorkQueue.TURNS
                ? new Thing(instanceId, "", dueAt)
                : new Thing(document.id(), document.etag(), dueAt);
    }

    /** An activity is a candidate by itself. A horizon that is long over says no more than one that was never known. */
    private long completeUntil(Announcement announcement, Thing thing, long now) {
        if (queue == WorkQueue.ACTIVITIES) {
            return Long.MAX_VALUE;
        }
        return thing.dueAt() > 0 ? 0 : Math.max(1, Math.min(announcement.horizon(), now + LONGEST_HORIZON_MILLIS));
    }

    /**
     * Some may have been lost. Until all that was known by then has shown itself, no candidate's are known to be all.
     */
    long doubt() {
        incompleteUntilMillis = clock.millis() + LONGEST_HORIZON_MILLIS;
        return incompleteUntilMillis;
    }

    /** Looks at the instance then, for a message of this process's own, unless it is announced before. */
    void lookAt(String instanceId, @Nullable QueueDocument message, long millis) {
        AnnouncedWork work = AnnouncedWork.own(instanceId, message);
        long now = clock.millis();
        long atMillis = Math.max(millis, now + ownAfterMillis);
        if (atMillis <= now) {
            ready.add(work);
        } else {
            later.add(atMillis, work);
        }
    }

    /** When the next becomes due (milliseconds); null when none is waited for. */
    @Nullable
    Long nextDue() {
        Long due = completions.earlier(later.nextDue());
        if (excludedUntilMillis == Long.MAX_VALUE) {
            return due;
        }
        return due == null ? excludedUntilMillis : Math.min(due, excludedUntilMillis);
    }

    /** Hands out the first candidate that may be. */
    Optional<C> takeFirst(Exclusions<C> exclusions, CandidateWait<C> wait, long atNanos) {
        long now = clock.millis();
        later.removeDue(now).forEach(ready::add);
        completions.beginLook();
        excludedUntilMillis = Long.MAX_VALUE;
        for (Iterator<Map.Entry<String, List<AnnouncedWork>>> all = ready.candidates(); all.hasNext(); ) {
            Map.Entry<String, List<AnnouncedWork>> entry = all.next();
            List<AnnouncedWork> works = current(entry);
            entry.setValue(works);
            Optional<C> taken = works.isEmpty() || wait.isThroughWith(entry.getKey())
                    ? Optional.empty()
                    : tryTake(exclusions, entry, now, atNanos);
            if (works.isEmpty()) {
                all.remove();
            }
            if (taken.isPresent()) {
                return taken;
            }
        }
        return Optional.empty();
    }

    private Optional<C> tryTake(
            Exclusions<C> exclusions, Map.Entry<String, List<AnnouncedWork>> entry, long now, long atNanos) {
        String key = entry.getKey();
        List<AnnouncedWork> works = entry.getValue();
        if (completions.isWaiting(key, now)) {
            return Optional.empty();
        }
        List<AnnouncedWork> tried = queue == WorkQueue.TURNS ? List.copyOf(works) : AnnouncedWork.likeFirst(works);
        C candidate = make(tried, atNanos);
        if (!exclusions.tryHandOut(candidate)) {
            excludedUntilMillis = Math.min(excludedUntilMillis, exclusions.end(key));
            return Optional.empty();
        }
        works.removeAll(tried);
        underWay.computeIfAbsent(key, some -> new ArrayList<>()).addAll(tried);
        return Optional.of(candidate);
    }

    /** What was announced of the candidate before it was handed out is handled. */
    void settle(String key) {
        @Nullable List<AnnouncedWork> works = underWay.remove(key);
        if (works != null) {
            works.forEach(work -> work.settlement().handleOne());
        }
    }

    /** As before; and these messages of it are not there any more. */
    void settle(String key, Collection<QueueDocument> messages) {
        handled.addAll(messages);
        settle(key);
    }

    /** This version of an activity was locked. */
    void outdated(Stored<QueueDocument> activity) {
        handled.addVersion(activity);
    }

    /**
     * The candidate has to be tried again, not before this time (milliseconds; 0: soon).
     *
     * @return false for an activity that was not announced, which a further query has to find
     */
    boolean retry(String key, long atMillis) {
        long at = Math.max(atMillis, clock.millis() + SHORTEST_REST_MILLIS);
        @Nullable List<AnnouncedWork> works = underWay.remove(key);
        if (works != null) {
            later.addRetry(at, key, works.stream().map(AnnouncedWork::toLookFor).toList());
        } else if (areHealthy() && queue == WorkQueue.TURNS) {
            lookAt(key, null, at);
        } else {
            return !areHealthy();
        }
        return true;
    }

    /** The candidate, which this process had locked, has to be tried again at once. */
    void retryAtOnce(String key) {
        retry(key, 0);
        released(key);
    }

    /** This process does not hold the candidate any more: what could not be taken of it is tried at once. */
    void released(String key) {
        later.removeRetries(key).forEach(ready::add);
    }

    /**
     * Asks for as many activities as workers are free. Where none is, those at hand go back: no slow worker holds them.
     *
     * @param own so many workers are given this process's own
     */
    void request(Exclusions<C> exclusions, int own) {
        if (subscription == null || queue == WorkQueue.TURNS) {
            return;
        }
        if (!workers.areAny()) {
            ready.giveBack();
        }
        int atHand = ready.count(key -> !exclusions.isHeld(key));
        int more = Math.max(0, workers.count() - atHand - own);
        if (more != requested) {
            requested = more;
            subscription.request(more);
        }
    }

    /** A dispatcher begins to look for candidates. */
    void fetchBegan() {
        if (subscription != null) {
            subscription.fetchBegan();
        }
    }

    /** A dispatcher has ended its look. */
    void fetchEnded() {
        if (subscription != null) {
            subscription.fetchEnded();
        }
    }

    /**
     * Without what another process handles now, and without what is known to be gone. What has to be tried again of an
     * instance comes with it: nothing announced later may overtake it.
     */
    private List<AnnouncedWork> current(Map.Entry<String, List<AnnouncedWork>> entry) {
        List<AnnouncedWork> works = new ArrayList<>(entry.getValue());
        if (queue == WorkQueue.TURNS) {
            works.addAll(later.removeRetries(entry.getKey()));
        }
        List<AnnouncedWork> left = new ArrayList<>(works.size());
        for (AnnouncedWork work : works) {
            if (isGone(work) || work.isCoveredBy(works)) {
                work.settlement().handleOne();
            } else if (work.settlement().isCurrent()) {
                left.add(work);
            }
        }
        return left;
    }

    private boolean isGone(AnnouncedWork work) {
        return !work.documents().isEmpty() && work.documents().stream().allMatch(handled::contains);
    }

    private C make(List<AnnouncedWork> works, long atNanos) {
        List<AnnouncedDocument> documents = works.stream()
                .flatMap(work -> work.documents().stream())
                .filter(document -> !handled.contains(document))
                .toList();
        return maker.make(works.get(0).instanceId(), documents, knowledge(works), atNanos);
    }

    private Knowledge knowledge(List<AnnouncedWork> works) {
        long now = clock.millis();
        if (!works.stream().allMatch(AnnouncedWork::isWithDocuments)) {
            return Knowledge.OUTDATED;
        }
        boolean isComplete = now >= incompleteUntilMillis
                && works.stream().allMatch(work -> work.completeUntil() > now + LEAST_HORIZON_MILLIS);
        return isComplete ? Knowledge.COMPLETE : Knowledge.PARTIAL;
    }
}
