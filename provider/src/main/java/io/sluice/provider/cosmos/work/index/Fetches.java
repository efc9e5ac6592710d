package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkSearch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The fetches of dispatchers: each is answered with work, with a search, by waiting, or with nothing once its time is
 * over.
 */
final class Fetches {
    private static final int MOST_HIDDEN = 10_000;
    /** A fetch whose time is over tries what there is, but comes to an end. */
    private static final int MOST_TRIES = 2_000;

    private final WorkLimits limits;
    private final WorkEntries entries;
    private final SearchPlan search;
    private final WorkDemand demand;
    private final List<WorkDecision> decisions;
    private final LongSupplier place;
    private final Candidates candidates;
    private final Map<Long, Fetch> fetches = new HashMap<>();

    /** @param place the next among all that happens */
    Fetches(
            WorkLimits limits,
            WorkEntries entries,
            WorkDemand demand,
            List<WorkDecision> decisions,
            LongSupplier place) {
        this.limits = limits;
        this.entries = entries;
        this.search = entries.search();
        this.demand = demand;
        this.decisions = decisions;
        this.place = place;
        this.candidates = new Candidates(limits, entries);
    }

    /** A fetch of a dispatcher. */
    private static final class Fetch {
        final WorkFilter filter;
        /** Its place among all that happened. */
        final long began;
        /** Since its time is over: each once, else it might never end. */
        final Set<String> tried = new HashSet<>();
        /** A search that leaves out what it has tried, so that it says nothing to others; 0 for none. */
        long ownSearch;

        boolean isAnsweredAlone;

        boolean isTrying;
        boolean isOver;
        boolean isWoken;

        Fetch(WorkFilter filter, long began) {
            this.filter = filter;
            this.began = began;
        }
    }

    /** As {@link WorkIndex#take}. */
    void take(long fetch, WorkFilter filter, boolean isOver, WorkMoment now) {
        if (entries.lanes().use(filter, now.steadyMillis())) {
            search.hurry(now.steadyMillis());
        }
        Fetch asking = fetches.computeIfAbsent(fetch, number -> begin(filter));
        asksAgain(asking);
        entries.lanes().leave(filter, fetch);
        asking.isOver = isOver;
        asking.isWoken = false;
        answer(fetch, asking, now);
    }

    private Fetch begin(WorkFilter filter) {
        demand.of(filter).came();
        demand.sayAgain(filter);
        return new Fetch(filter, place.getAsLong());
    }

    private void answer(long fetch, Fetch asking, WorkMoment now) {
        if (search.comesFirst(entries.lanes().hasFound(), now.steadyMillis())) {
            search(fetch, asking, now);
            return;
        }
        if (asking.isOver) {
            demand.of(asking.filter).others().leave(fetch);
        }
        boolean mayTry =
                !asking.isOver || asking.tried.size() < (search.isHealthy() ? limits.searchLimit() : MOST_TRIES);
        Optional<WorkEntry> taken = mayTry ? take(fetch, asking, now) : Optional.empty();
        if (taken.isPresent()) {
            if (asking.isOver) {
                asking.tried.add(taken.get().key());
            }
            asking.isTrying = true;
            demand.of(asking.filter).tries();
            decisions.add(new WorkDecision.Try(fetch, candidates.of(taken.get(), asking.began, now)));
        } else if (asking.isOver && (!mayTry || isAnswered(asking, now))) {
            fetches.remove(fetch);
            demand.of(asking.filter).leftWithNothing(now.millis());
            decisions.add(new WorkDecision.Nothing(fetch));
        } else {
            if (asking.isOver && !search.isUnderWaySince(asking.began)) {
                search.wantOne(now.steadyMillis());
            }
            if (search.isDue(asking.isOver, now.steadyMillis())) {
                search(fetch, asking, now);
            } else {
                entries.lanes().await(asking.filter, fetch);
                decisions.add(new WorkDecision.Wait(fetch));
            }
        }
    }

    private Optional<WorkEntry> take(long fetch, Fetch asking, WorkMoment now) {
        OthersTurn others = demand.of(asking.filter).others();
        boolean isAwaiting = !asking.isOver && others.await(fetch, now.millis());
        var preference =
                new Candidates.Preference(entry -> asking.tried.contains(entry.key()), others.isDue(), isAwaiting);
        Optional<WorkEntry> taken = candidates.take(asking.filter, fetch, preference, now);
        taken.ifPresent(entry -> demand.countTaken(asking.filter, entry, now.millis()));
        return taken;
    }

    private void search(long fetch, Fetch asking, WorkMoment now) {
        long number = place.getAsLong();
        search.begin(number, now.steadyMillis());
        List<String> hidden = entries.hidden(MOST_HIDDEN, now.millis());
        int common = hidden.size();
        hidden.addAll(asking.tried);
        hidden.addAll(entries.lanes().unsuitable(asking.filter, MOST_HIDDEN));
        if (hidden.size() > common) {
            asking.ownSearch = number;
        }
        var request = new WorkSearch.Request(
                number,
                limits.searchLimit(),
                hidden,
                entries.lanes().filters(),
                asking.isOver && search.hasAnsweredAnySince(asking.began),
                search.isHealthy());
        decisions.add(new WorkDecision.Search(fetch, request));
    }

    /** A fetch that finds nothing has had a search of its own, where searches are what finds work. */
    private boolean isAnswered(Fetch asking, WorkMoment now) {
        if (search.isHealthy()) {
            return !search.isDue(false, now.steadyMillis());
        }
        return asking.isAnsweredAlone || search.hasAnsweredSince(asking.began);
    }

    /** It ends, with work or without; what it tried is concluded apart from this. */
    void leave(long fetch) {
        Fetch left = fetches.remove(fetch);
        if (left != null && !left.isTrying) {
            demand.of(left.filter).left();
            demand.of(left.filter).others().leave(fetch);
        }
        if (left != null && !entries.lanes().leave(left.filter, fetch) && left.isWoken) {
            // What it was woken for is for somebody else.
            wakeAll();
        }
    }

    /** What a search says to other fetches than its own. */
    WorkFound.Extent extentForAll(long number, WorkFound.Extent extent, boolean hasNews) {
        for (Fetch fetch : fetches.values()) {
            if (fetch.ownSearch == number) {
                // Another search would show the same.
                fetch.isAnsweredAlone = extent.isWhole() && (extent.isExhaustive() || !hasNews);
                return new WorkFound.Extent(
                        extent.isExhaustive(), false, extent.isAnotherDue(), extent.requests(), extent.isPartial());
            }
        }
        return extent;
    }

    /** Those whose time is over have waited for a search. */
    void wakeOver() {
        fetches.forEach((fetch, waiting) -> {
            if (waiting.isOver && entries.lanes().leave(waiting.filter, fetch)) {
                decisions.add(new WorkDecision.Wake(fetch));
            }
        });
    }

    private void wakeAll() {
        entries.lanes().wakeAll().forEach(fetch -> decisions.add(new WorkDecision.Wake(fetch)));
    }

    /** The fetch that could not take it asks again. */
    void askAgain(WorkEntry entry) {
        Fetch asking = entry.state() instanceof WorkState.Taken taken ? fetches.get(taken.fetch()) : null;
        if (asking != null) {
            asksAgain(asking);
        }
    }

    private void asksAgain(Fetch asking) {
        if (asking.isTrying) {
            asking.isTrying = false;
            demand.of(asking.filter).asksAgain();
        }
    }

    /** A fetch is woken for something. */
    void noteWoken(WorkDecision decision) {
        Fetch woken = decision instanceof WorkDecision.Wake wake ? fetches.get(wake.fetch()) : null;
        if (woken != null) {
            woken.isWoken = true;
        }
    }

    /** When one that waits has to search: one whose time is over does so beside another. */
    long nextSearch() {
        boolean isPressed = fetches.entrySet().stream()
                .anyMatch(each ->
                        each.getValue().isOver && entries.lanes().isWaiting(each.getValue().filter, each.getKey()));
        return isPressed ? search.nextPressed() : search.next();
    }
}
