package io.sluice.provider.cosmos.candidate;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Work that this process made while none of its dispatchers waited, for the next one that does: its announcement comes
 * later, and only once a dispatcher waits for it. It is announced to all processes nevertheless, so that what is
 * dropped here is not lost. Guarded by its owner's lock.
 */
final class OwnWork<C extends Candidate> {
    private static final int MOST = 1_000;
    /** A process that always has work of its own still takes what was announced, which may be older. */
    private static final int MOST_IN_A_ROW = 100;

    private static final long OTHERS_MILLIS = Duration.ofMillis(250).toMillis();

    private final Exclusions<C> exclusions;
    private final InstantSource clock;
    private final Deque<C> kept = new ArrayDeque<>();
    private int inARow;
    private long othersUntilMillis;

    OwnWork(Exclusions<C> exclusions, InstantSource clock) {
        this.exclusions = exclusions;
        this.clock = clock;
    }

    /** Keeps it, unless there is too much of it. */
    void keep(C candidate) {
        if (kept.size() < MOST) {
            kept.add(candidate);
        }
    }

    /** Hands out the first, unless it is the turn of what was announced. */
    Optional<C> takeFirst(CandidateWait<C> wait) {
        if (isOthersTurn()) {
            return Optional.empty();
        }
        Optional<C> taken = exclusions.handOutFirst(kept, wait);
        if (taken.isPresent() && ++inARow >= MOST_IN_A_ROW) {
            othersUntilMillis = clock.millis() + OTHERS_MILLIS;
        }
        return taken;
    }

    /** This candidate was taken as it was announced. */
    void tookAnnounced(C candidate) {
        inARow = 0;
        kept.removeIf(own -> own.key().equals(candidate.key()));
    }

    /** Another process is faster with what is announced: it is left to whoever hears of it. */
    void drop() {
        kept.clear();
    }

    /** How many dispatchers can be given work from here. */
    int size() {
        return isOthersTurn() ? 0 : kept.size();
    }

    /** When it may be handed out again (milliseconds); null when it may be now, or there is none. */
    @Nullable
    Long nextDue() {
        return isOthersTurn() && !kept.isEmpty() ? othersUntilMillis : null;
    }

    private boolean isOthersTurn() {
        if (inARow < MOST_IN_A_ROW) {
            return false;
        }
        if (clock.millis() >= othersUntilMillis) {
            inARow = 0;
            return false;
        }
        return true;
    }
}
