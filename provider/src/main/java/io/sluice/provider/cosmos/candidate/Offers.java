package io.sluice.provider.cosmos.candidate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/** Candidates that this process has just made, for dispatchers that wait. Guarded by its owner's lock. */
final class Offers<C extends Candidate> {
    private final CandidateSearch<C> search;
    private final Exclusions<C> exclusions;
    private final FreeWorkers workers;
    private final Deque<C> ready = new ArrayDeque<>();
    private final Deque<C> delayed = new ArrayDeque<>();

    Offers(CandidateSearch<C> search, Exclusions<C> exclusions, FreeWorkers workers) {
        this.search = search;
        this.exclusions = exclusions;
        this.workers = workers;
    }

    /** The candidates that may be handed out. */
    Deque<C> ready() {
        return ready;
    }

    /**
     * Takes a candidate for one of the dispatchers that wait, where that overtakes no older work: the last query left
     * nothing over, and the next is not due. One that is held or excluded is remembered.
     *
     * @return false when no dispatcher may have it this way
     */
    boolean offer(C candidate) {
        if (exclusions.isHeld(candidate.key())) {
            exclusions.remember(candidate.key());
            return true;
        }
        if (has(candidate.key())) {
            return true;
        }
        boolean isWanted = size() < workers.waiting() && search.answer().isEmpty();
        if (search.isAnnounced()) {
            if (isWanted) {
                add(candidate);
            }
            // Else its announcement is waited for.
            return true;
        }
        if (!isWanted || search.isDue()) {
            return false;
        }
        if (search.isUnderWay()) {
            delayed.add(candidate);
        } else {
            add(candidate);
        }
        return true;
    }

    /** Takes a candidate for one of the dispatchers that wait, if there is one and nobody has the candidate. */
    void offerAnyway(C candidate) {
        if (size() < workers.waiting() && !exclusions.isHeld(candidate.key())) {
            add(candidate);
        }
    }

    private void add(C candidate) {
        ready.add(candidate);
        // Its result may make work for another dispatcher: query soon, as after a wake-up.
        search.hurrySoon();
    }

    /** After a query: hands over the candidates that were offered meanwhile, unless the query found older ones. */
    void settleDelayed() {
        List<C> taken = List.copyOf(delayed);
        delayed.clear();
        if (search.answer().isEmpty()) {
            taken.stream()
                    .filter(candidate -> !exclusions.isHeld(candidate.key()))
                    .forEach(this::add);
        } else if (!taken.isEmpty()) {
            search.hurry();
        }
    }

    /** Drops offers that outnumber the dispatchers that wait; a query or an announcement brings them. */
    boolean withdraw() {
        if (ready.size() <= workers.waiting()) {
            return false;
        }
        ready.clear();
        search.hurry();
        return true;
    }

    void clear() {
        ready.clear();
        delayed.clear();
    }

    private boolean has(String key) {
        return Stream.of(ready, delayed)
                .flatMap(Deque::stream)
                .anyMatch(other -> other.key().equals(key));
    }

    private int size() {
        return ready.size() + delayed.size();
    }
}
