package io.sluice.durabletask.waiting;

import io.sluice.durabletask.worker.WorkKind;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a task hub, with what is taken now.
 *
 * @param at when the store was looked at: ages are of then
 * @param isCut whether there may be more than these
 */
record WaitingView(Instant at, List<Waiting> all, boolean isCut) {
    WaitingView {
        all = List.copyOf(all);
    }

    /**
     * Work of one type.
     *
     * @param name empty for the rest
     * @param version null where there is none to tell
     */
    record Waiting(
            WorkKind kind, String name, @Nullable String version, int count, double ageSeconds, boolean isTaken) {}

    /**
     * Several types together.
     *
     * @param ageSeconds of the oldest; 0 when there is none
     */
    record Total(int count, double ageSeconds) {
        static Total of(Stream<Waiting> some) {
            return some.reduce(
                    new Total(0, 0),
                    (sum, one) -> new Total(sum.count + one.count(), Math.max(sum.ageSeconds, one.ageSeconds())),
                    (a, b) -> new Total(a.count + b.count, Math.max(a.ageSeconds, b.ageSeconds)));
        }
    }

    Stream<Waiting> of(WorkKind kind) {
        return all.stream().filter(waiting -> waiting.kind() == kind);
    }

    int count(WorkKind kind) {
        return Total.of(of(kind)).count();
    }

    double ageSeconds(WorkKind kind) {
        return Total.of(of(kind)).ageSeconds();
    }

    /** What no connected worker takes. */
    Stream<Waiting> untaken() {
        return all.stream().filter(waiting -> !waiting.isTaken());
    }

    Total untaken(WorkKind kind) {
        return Total.of(untaken().filter(waiting -> waiting.kind() == kind));
    }
}
