package io.sluice.provider.world;

import io.sluice.provider.ProviderException;
import io.sluice.provider.world.judge.LockRules;
import io.sluice.provider.world.judge.Operation;
import io.sluice.provider.world.judge.Operation.Kind;
import io.sluice.provider.world.site.Fault;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A story and what befalls it: one fault, or one after the other.
 *
 * @param faults of requests in a row
 * @param request which of the requests that are at risk is the first, from 1
 */
record StoryFaults(Story story, List<Fault> faults, int request) {
    /** Those who ask again when they are told that they may. */
    private static final Set<Kind> PATIENT = Set.of(Kind.PRUNE, Kind.DELETE, Kind.DELIVER, Kind.SWEEP);

    static StoryFaults none(Story story) {
        return new StoryFaults(story, List.of(), 1);
    }

    /** As it is told to a JVM. */
    static StoryFaults parse(String text) {
        var parts = text.split(":", 3);
        var faults = Stream.of(parts[1].split("\\+")).map(Fault::valueOf).toList();
        return new StoryFaults(Story.valueOf(parts[0]), faults, Integer.parseInt(parts[2]));
    }

    /** What befalls this request of those that are at risk. */
    Fault faultOf(int atRisk) {
        int place = atRisk - request;
        return place >= 0 && place < faults.size() ? faults.get(place) : Fault.NONE;
    }

    /** Whether a caller may hear of it, though it passes: that a lock is lost, too, where it was held up for long. */
    boolean mayBeHeard(Operation asked, ProviderException failure, LockRules locks) {
        var token = asked.token();
        return failure.retryable()
                ? PATIENT.contains(asked.kind())
                : faults.stream().anyMatch(Fault::isHoldUp) && token != null && !locks.isHeld(token);
    }

    @Override
    public String toString() {
        return story + ":" + faults.stream().map(Fault::name).collect(Collectors.joining("+")) + ":" + request;
    }
}
