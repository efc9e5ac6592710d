package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Announced work that waits for a dispatcher, or that none of this process's takes, is handed on to other processes. It
 * stays here until Kafka has taken the request for help.
 */
final class HelpRequests {
    private static final long SECOND_MILLIS = 1_000;
    private static final long FIRST_REST_MILLIS = 500;
    /** Work that nobody seems to run is held back between two requests, up to this time. */
    private static final long LONGEST_REST_MILLIS = Duration.ofSeconds(30).toMillis();
    /** From here on the rest is longer than a share group leaves a record with a process. */
    private static final int MOST_HELD_HOPS = 4;

    private final WorkLimits limits;
    private final WorkEntries entries;
    private final List<WorkDecision> decisions;
    private final EntryTimers timers = new EntryTimers();
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
        boolean isHeld = entry.waiting().stream().anyMatch(HeardWork::isAnnounced);
        int hops = isHeld ? Math.min(MOST_HELD_HOPS, hops(entry)) : hops(entry);
        timers.add(entry, nowMillis + (isUnsuitable(entry) ? rest(hops) : limits.helpAfterMillis()));
    }

    private boolean isUnsuitable(WorkEntry entry) {
        return entry.needs().isKnown() && !entries.lanes().isAccepted(entry.needs());
    }

    private static long rest(int hops) {
        return hops == 0 ? 0 : Math.min(LONGEST_REST_MILLIS, FIRST_REST_MILLIS << Math.min(hops, 10));
    }

    private static int hops(WorkEntry entry) {
        return entry.waiting().stream()
                .mapToInt(heard -> heard.work().hops())
                .max()
                .orElse(0);
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
        if (entries.search().isHealthy() && entry.handedOn().isEmpty()) {
            if (!isUnsuitable && exceedsRate(nowMillis)) {
                timers.add(entry, secondBeganMillis + SECOND_MILLIS);
                return;
            }
            giveAway(entry, isUnsuitable, nowMillis);
        } else if (!entries.search().isHealthy() && !isUnsuitable) {
            timers.add(entry, nowMillis + limits.helpAfterMillis());
            return;
        }
        if (entry.handedOn().isEmpty()) {
            settleDown(entry, isUnsuitable, nowMillis);
        }
    }

    /** Of what can't be handed on, a search finds again what is left out here. */
    private void settleDown(WorkEntry entry, boolean isUnsuitable, long nowMillis) {
        if (isUnsuitable) {
            entry.waiting().removeIf(heard -> heard.work().dueAt() <= nowMillis && !isToBeHandedOn(heard));
        }
        if (entry.nextDue() > nowMillis) {
            entries.lanes().remove(entry);
            entries.place(entry, nowMillis);
        } else if (isUnsuitable) {
            timers.add(entry, nowMillis + Math.max(limits.helpAfterMillis(), rest(hops(entry))));
        } else {
            timers.add(entry, nowMillis + ReadyLanes.UNUSED_MILLIS);
        }
    }

    private static boolean isToBeHandedOn(HeardWork heard) {
        return heard.isAnnounced() || heard.work().hops() > 0;
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
            if (heard.work().dueAt() > nowMillis) {
                kept.add(heard);
                continue;
            }
            if (!heard.isCurrent()) {
                continue;
            }
            if (answer != null && answer.isReturnable() && !heard.isCorrected()) {
                entries.release(answer);
                continue;
            }
            if (answer != null && isUnsuitable && heard.work().hops() > MOST_HELD_HOPS) {
                kept.add(keepInMind(heard, nowMillis));
                continue;
            }
            kept.add(heard);
            if (isToBeHandedOn(heard)) {
                handedOn.add(heard);
            }
        }
        entry.waiting().clear();
        entry.waiting().addAll(kept);
        byToken(handedOn).values().forEach(works -> {
            entry.handedOn().put(++requests, works);
            decisions.add(new WorkDecision.HandOn(requests, merge(works, entry.needs(), isUnsuitable)));
        });
    }

    /** The next rest is too long to hold its announcement; if this process dies, a search has to find it. */
    private HeardWork keepInMind(HeardWork heard, long nowMillis) {
        entries.settle(heard);
        return new HeardWork(HeardWork.Source.OWN, heard.work(), null, nowMillis);
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
    private static KnownWork merge(List<HeardWork> works, WorkNeeds needs, boolean isUnsuitable) {
        KnownWork first = works.get(0).work();
        boolean areNamed =
                works.stream().noneMatch(heard -> heard.work().documents().isEmpty());
        List<AnnouncedDocument> documents = areNamed
                ? works.stream()
                        .flatMap(heard -> heard.work().documents().stream())
                        .distinct()
                        .toList()
                : List.of();
        int hops = works.stream().mapToInt(heard -> heard.work().hops()).max().orElse(0);
        boolean hasStart = works.stream().anyMatch(heard -> heard.work().hasStart());
        return new KnownWork(
                first.key(),
                first.instanceId(),
                documents,
                needs,
                first.dueAt(),
                0,
                first.token(),
                hasStart,
                isUnsuitable ? hops + 1 : hops);
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
