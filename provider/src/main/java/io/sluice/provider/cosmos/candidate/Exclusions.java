package io.sluice.provider.cosmos.candidate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The candidates that a feed does not hand out now: a dispatcher has them, or they are excluded until a time. Guarded
 * by its owner's lock.
 */
final class Exclusions<C extends Candidate> {
    private final Set<String> handedOut = new HashSet<>();
    private final Map<String, Long> untilMillis = new HashMap<>();
    private final Map<String, Deque<C>> reserved = new HashMap<>();
    private final Set<String> missed = new HashSet<>();

    /** Takes the first of the candidates that the wait may have, and notes that its dispatcher gets it. */
    Optional<C> handOutFirst(Iterable<C> candidates, CandidateWait<C> wait) {
        for (Iterator<C> all = candidates.iterator(); all.hasNext(); ) {
            C candidate = all.next();
            if (!wait.isThroughWith(candidate.key())) {
                all.remove();
                if (tryHandOut(candidate)) {
                    return Optional.of(candidate);
                }
            }
        }
        return Optional.empty();
    }

    /** Notes that a dispatcher gave the candidate back. */
    void giveBack(C candidate) {
        handedOut.remove(candidate.key());
    }

    void exclude(String key, long until) {
        untilMillis.put(key, until);
    }

    void include(String key) {
        untilMillis.remove(key);
    }

    /** Takes a candidate back, and reserves it for a claimant until this time. */
    void reserve(String claimant, C candidate, long until) {
        giveBack(candidate);
        exclude(candidate.key(), until);
        reserved.computeIfAbsent(claimant, key -> new ArrayDeque<>()).add(candidate);
    }

    /** Hands out a candidate that is reserved for the claimant. */
    Optional<C> takeReserved(@Nullable String claimant) {
        @Nullable Deque<C> mine = claimant == null ? null : reserved.get(claimant);
        while (mine != null && !mine.isEmpty()) {
            C candidate = mine.removeFirst();
            // Once its time is over, or when it is missed here, any dispatcher may find it again.
            if (untilMillis.remove(candidate.key()) != null && handedOut.add(candidate.key())) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** Whether a dispatcher has it, or it is excluded. */
    boolean isHeld(String key) {
        return untilMillis.containsKey(key) || handedOut.contains(key);
    }

    /** When the exclusion of the key ends (milliseconds); the largest number where it is not excluded. */
    long end(String key) {
        return untilMillis.getOrDefault(key, Long.MAX_VALUE);
    }

    /** Remembers that work was offered for a key that is held. */
    void remember(String key) {
        missed.add(key);
    }

    /** Forgets the work that was offered for the key. Returns whether there was any. */
    boolean forget(String key) {
        return missed.remove(key);
    }

    /** Forgets the work that was offered for keys that are no longer held. Returns whether there was any. */
    boolean forgetReleased() {
        return missed.removeIf(key -> !isHeld(key));
    }

    /** Ends the exclusions whose time is over. */
    void expire(long nowMillis) {
        untilMillis.values().removeIf(until -> until <= nowMillis);
        reserved.values().removeIf(candidates -> {
            candidates.removeIf(candidate -> !untilMillis.containsKey(candidate.key()));
            return candidates.isEmpty();
        });
    }

    /** The keys that are held now. */
    Set<String> keys() {
        Set<String> keys = new HashSet<>(untilMillis.keySet());
        keys.addAll(handedOut);
        return keys;
    }

    /** Notes that a dispatcher gets the candidate. Returns false when it may not have it now. */
    boolean tryHandOut(C candidate) {
        boolean isExcluded = untilMillis.containsKey(candidate.key()) && !candidate.isAwaited();
        return !isExcluded && handedOut.add(candidate.key());
    }
}
