package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Announced work that waits for a dispatcher, or that none of this process's takes, is handed on to other processes:
 * each filter in use is asked, by a group of its own, so that one process of each filter hears of the work. It stays
 * here until Kafka has taken the request for help.
 */
final class HelpRequests {
    private static final long SECOND_MILLIS = 1_000;

    private final WorkLimits limits;
    private final WorkEntries entries;
    private final List<WorkDecision> decisions;
    private final EntryTimers timers = new EntryTimers();
    /** With announcements that may go to another process. */
    private final Set<WorkEntry> returnable = new LinkedHashSet<>();

    private long secondBeganMillis = Long.MIN_VALUE;
    private int askedThisSecond;
    private long requests;

    HelpRequests(WorkLimits limits, WorkEntries entries, List<WorkDecision> decisions) {
        this.limits = limits;
        this.entries = entries;
        this.decisions = decisions;
    }

    /** The entry is ready, or something was heard of it since. */
    void schedule(WorkEntry entry, long nowMillis) {
        if (entry.waiting().stream().anyMatch(HelpRequests::isReturnable)) {
            returnable.add(entry);
        }
        timers.add(entry, nowMillis + (isUnsuitable(entry) ? 0 : limits.helpAfterMillis()));
    }

    /** How many announced entries other processes could have. */
    int returnable() {
        returnable.removeIf(entry -> !isAtHand(entry));
        return returnable.size();
    }

    /** No dispatcher is free: what other processes can have goes to them. */
    void giveBack(long nowMillis) {
        List<WorkEntry> all = List.copyOf(returnable);
        returnable.clear();
        for (WorkEntry entry : all) {
            if (isAtHand(entry)) {
                entries.keepIn(entry, heard -> !isGivenBack(heard), nowMillis);
            }
        }
    }

    private boolean isAtHand(WorkEntry entry) {
        return entries.get(entry.key()) == entry && entry.isReady();
    }

    private boolean isGivenBack(HeardWork heard) {
        HeardWork.Answer answer = heard.answer();
        if (answer == null || !isReturnable(heard)) {
            return false;
        }
        entries.release(answer);
        return true;
    }

    private static boolean isReturnable(HeardWork heard) {
        HeardWork.Answer answer = heard.answer();
        return answer != null && answer.isReturnable() && !heard.isCorrected();
    }

    private boolean isUnsuitable(WorkEntry entry) {
        boolean isFetched = !entries.lanes().filters().isEmpty();
        return isFetched && entry.needs().isKnown() && !entries.lanes().isAccepted(entry.needs());
    }

    long next() {
        return timers.next();
    }

    void advance(long nowMillis) {
        for (Optional<WorkEntry> due = timers.takeDue(nowMillis); due.isPresent(); due = timers.takeDue(nowMillis)) {
            WorkEntry entry = due.get();
            if (entry.isReady()) {
                ask(entry, nowMillis);
            }
        }
    }

    private void ask(WorkEntry entry, long nowMillis) {
        boolean isUnsuitable = isUnsuitable(entry);
        if (isUnsuitable) {
            entry.waiting().removeIf(heard -> heard.work().dueAt() <= nowMillis && isLeftToOthers(entry, heard));
        }
        boolean mayAsk = entries.search().isHealthy() && entry.handedOn().isEmpty();
        if (mayAsk && !isUnsuitable && exceedsRate(nowMillis)) {
            timers.add(entry, secondBeganMillis + SECOND_MILLIS);
            return;
        }
        if (mayAsk) {
            giveAway(entry, isUnsuitable, nowMillis);
        }
        if (entry.handedOn().isEmpty()) {
            settleDown(entry, nowMillis);
        }
    }

    /** Of what does not suit: whom a search finds it, or whose filter takes it, is told of it without this process. */
    private boolean isLeftToOthers(WorkEntry entry, HeardWork heard) {
        entries.lanes().leave();
        boolean areAsked = heard.work().isAsked() && !entries.isToldOtherwise(heard.work(), entry.needs());
        if (heard.isAnnounced() && areAsked && !heard.isCorrected()) {
            entries.settle(heard);
            return true;
        }
        return !heard.isAnnounced();
    }

    private void settleDown(WorkEntry entry, long nowMillis) {
        if (entry.nextDue() > nowMillis) {
            entries.lanes().remove(entry);
            entries.place(entry, nowMillis);
        } else {
            timers.add(entry, nowMillis + limits.helpAfterMillis());
        }
    }

    private boolean exceedsRate(long nowMillis) {
        if (nowMillis - secondBeganMillis >= SECOND_MILLIS || secondBeganMillis == Long.MIN_VALUE) {
            secondBeganMillis = nowMillis;
            askedThisSecond = 0;
        }
        return ++askedThisSecond > limits.helpPerSecond();
    }

    private void giveAway(WorkEntry entry, boolean isUnsuitable, long nowMillis) {
        List<HeardWork> handedOn = new ArrayList<>();
        List<HeardWork> kept = new ArrayList<>();
        for (HeardWork heard : entry.waiting()) {
            HeardWork.Answer answer = heard.answer();
            if (answer == null || heard.work().dueAt() > nowMillis) {
                kept.add(heard);
            } else if (heard.isCurrent()) {
                if (!isUnsuitable && isReturnable(heard)) {
                    entries.release(answer);
                } else {
                    kept.add(heard);
                    handedOn.add(heard);
                }
            }
        }
        entry.waiting().clear();
        entry.waiting().addAll(kept);
        byToken(handedOn).values().forEach(works -> {
            entry.handedOn().put(++requests, works);
            decisions.add(new WorkDecision.HandOn(requests, merge(works, entry.needs())));
        });
    }

    /** Of two tokens nobody here knows which is newer: each request for help has its own. */
    private static Map<String, List<HeardWork>> byToken(List<HeardWork> works) {
        Map<String, List<HeardWork>> byToken = new LinkedHashMap<>();
        works.forEach(heard -> byToken.computeIfAbsent(
                        Objects.requireNonNullElse(heard.work().token(), "none"), token -> new ArrayList<>())
                .add(heard));
        return byToken;
    }

    /** @param needs as the last look found them, whatever was announced */
    private static KnownWork merge(List<HeardWork> works, WorkNeeds needs) {
        KnownWork first = works.get(0).work();
        boolean areNamed =
                works.stream().noneMatch(heard -> heard.work().documents().isEmpty());
        List<AnnouncedDocument> documents = areNamed
                ? works.stream()
                        .flatMap(heard -> heard.work().documents().stream())
                        .distinct()
                        .toList()
                : List.of();
        boolean hasStart = works.stream().anyMatch(heard -> heard.work().hasStart());
        return new KnownWork(
                first.key(), first.instanceId(), documents, needs, first.dueAt(), 0, first.token(), hasStart, true);
    }

    /** Kafka has taken a request for help, or refused it; the entry may have been tried since. */
    void handedOn(WorkEntry entry, long request, boolean isTaken, long nowMillis) {
        List<HeardWork> answered = entry.handedOn().remove(request);
        if (answered == null) {
            return;
        }
        if (!isTaken) {
            timers.add(entry, nowMillis + limits.helpAfterMillis());
            return;
        }
        answered.stream().filter(entry.waiting()::remove).forEach(entries::settle);
        if (entry.isReady() && entry.nextDue() > nowMillis) {
            entries.lanes().remove(entry);
            entries.place(entry, nowMillis);
        } else if (entry.isReady() && entry.handedOn().isEmpty()) {
            schedule(entry, nowMillis);
        }
    }
}
