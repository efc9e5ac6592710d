package io.sluice.provider.world;

import io.sluice.provider.ProviderException;
import io.sluice.provider.world.judge.LockRules;
import io.sluice.provider.world.judge.Operation;
import io.sluice.provider.world.judge.Operation.Kind;
import io.sluice.provider.world.site.Fault;
import java.util.Set;

/**
 * A story and the one fault that befalls it.
 *
 * @param request which of the requests that are at risk, from 1; 0 for none
 */
record Strike(Story story, Fault fault, int request) {
    /** Those who ask again when they are told that they may. */
    private static final Set<Kind> PATIENT = Set.of(Kind.PRUNE, Kind.DELETE, Kind.DELIVER, Kind.SWEEP);

    static Strike none(Story story) {
        return new Strike(story, Fault.NONE, 0);
    }

    /** As it is told to a JVM. */
    static Strike parse(String text) {
        var parts = text.split(":", 3);
        return new Strike(Story.valueOf(parts[0]), Fault.valueOf(parts[1]), Integer.parseInt(parts[2]));
    }

    /** Whether a caller may hear of it, though it passes: that a lock is lost, too, where it was held up for long. */
    boolean mayBeHeard(Operation asked, ProviderException failure, LockRules locks) {
        var token = asked.token();
        return failure.retryable()
                ? PATIENT.contains(asked.kind())
                : fault == Fault.HELD_UP && token != null && !locks.isHeld(token);
    }

    @Override
    public String toString() {
        return story + ":" + fault + ":" + request;
    }
}
