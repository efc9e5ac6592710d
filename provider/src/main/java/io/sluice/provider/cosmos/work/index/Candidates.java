package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.WorkCandidate;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkMoment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Chooses what a fetch tries, and says what is known of it, and whether that is all. */
final class Candidates {
    /** What is known to be all for a shorter time may not be when the lock is taken. */
    private static final long LEAST_HORIZON_MILLIS = 2_000;

    /** What a search found and no dispatcher took within this time, another search finds again. */
    private static final long FOUND_HOLDS_MILLIS = 5_000;

    private final WorkLimits limits;
    private final SearchPlan search;
    private final WorkEntries entries;

    Candidates(WorkLimits limits, WorkEntries entries) {
        this.limits = limits;
        this.search = entries.search();
        this.entries = entries;
    }

    /** Gives the fetch the next entry that its filter takes, but for some. */
    Optional<WorkEntry> take(WorkFilter filter, long fetch, Preference preference, WorkMoment now) {
        long nowMillis = now.millis();
        while (true) {
            WorkEntry entry = next(filter, preference).orElse(null);
            if (entry == null) {
                return Optional.empty();
            }
            entries.lanes().take(filter, entry);
            entry.waiting().removeIf(heard -> isOutdated(heard, now));
            if (entry.nextDue() <= nowMillis) {
                entry.take(fetch, nowMillis);
                return Optional.of(entry);
            }
            entries.place(entry, nowMillis);
        }
    }

    /**
     * Which entry a fetch is given.
     *
     * @param isSkipped what it is not given
     * @param isReturnableFirst whether what other processes could have comes before all else
     * @param isReturnableAwaited whether it waits for that, and is given nothing else
     */
    record Preference(Predicate<WorkEntry> isSkipped, boolean isReturnableFirst, boolean isReturnableAwaited) {}

    private Optional<WorkEntry> next(WorkFilter filter, Preference preference) {
        Optional<WorkEntry> returnable = preference.isReturnableFirst()
                ? entries.lanes().firstReturnable(filter, preference.isSkipped())
                : Optional.empty();
        return preference.isReturnableAwaited()
                ? returnable
                : returnable.or(() -> entries.lanes().first(filter, preference.isSkipped()));
    }

    private boolean isOutdated(HeardWork heard, WorkMoment now) {
        if (entries.isGone(heard)) {
            entries.settle(heard);
            return true;
        }
        boolean isFoundLongAgo = heard.isFound()
                && (heard.order() < search.lastExhaustive()
                        || heard.heardSteadyMillis() + FOUND_HOLDS_MILLIS < now.steadyMillis());
        return isFoundLongAgo || !heard.isCurrent();
    }

    /**
     * What the fetch that took the entry tries.
     *
     * @param began the place of the fetch among all that happened: it has to see all that was there by then
     */
    WorkCandidate of(WorkEntry entry, long began, WorkMoment now) {
        Map<DocumentKey, AnnouncedDocument> documents = new LinkedHashMap<>();
        for (HeardWork heard : entry.underWay()) {
            heard.work()
                    .documents()
                    .forEach(document -> documents.put(DocumentKey.of(limits.queue(), document), document));
        }
        documents.keySet().removeIf(entries.consumed()::contains);
        String instanceId = entry.underWay().get(0).work().instanceId();
        return new WorkCandidate(
                entry.key(),
                instanceId,
                List.copyOf(documents.values()),
                knowledge(entry, began, now),
                entry.underWay().stream().allMatch(HeardWork::isFound),
                entry.underWay().stream().anyMatch(HeardWork::isAnnounced),
                entry.needs());
    }

    /** What was not seen before, or failed, is taken along by a look: nothing heard later may overtake it. */
    private WorkCandidate.Knowledge knowledge(WorkEntry entry, long began, WorkMoment now) {
        Set<String> announced = entry.underWay().stream()
                .filter(HeardWork::isAnnounced)
                .flatMap(heard -> heard.work().documents().stream())
                .map(AnnouncedDocument::id)
                .collect(Collectors.toSet());
        List<HeardWork> counting = entry.underWay().stream()
                .filter(heard -> !isCovered(heard, announced))
                .toList();
        boolean isToBeRead = counting.stream().anyMatch(heard -> heard.isToBeRead() || isBehind(heard, began))
                || entry.waiting().stream().anyMatch(heard -> heard.looks() > 0);
        if (isToBeRead) {
            return WorkCandidate.Knowledge.OUTDATED;
        }
        boolean isComplete = search.isComplete(now.steadyMillis())
                && counting.stream().allMatch(heard -> isAll(heard, began, now.millis()));
        return isComplete ? WorkCandidate.Knowledge.COMPLETE : WorkCandidate.Knowledge.PARTIAL;
    }

    /** Whether what this process wrote has been announced to it as well. */
    private static boolean isCovered(HeardWork heard, Set<String> announced) {
        List<AnnouncedDocument> documents = heard.work().documents();
        return heard.source() == HeardWork.Source.OWN
                && !documents.isEmpty()
                && documents.stream().allMatch(document -> announced.contains(document.id()));
    }

    /** What this process wrote before the fetch began may not be all that was there by then. */
    private boolean isBehind(HeardWork heard, long began) {
        return limits.queue() == WorkQueue.TURNS
                && !search.isHealthy()
                && heard.source() == HeardWork.Source.OWN
                && heard.order() < began;
    }

    private static boolean isAll(HeardWork heard, long began, long nowMillis) {
        return heard.isFound()
                ? heard.work().isComplete() && heard.order() >= began
                : heard.work().completeUntil() > nowMillis + LEAST_HORIZON_MILLIS;
    }
}
