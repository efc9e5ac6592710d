package io.sluice.provider.work;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Work that waits in a store to be taken, by what a process must run to take it.
 *
 * @param at when the store was looked at; what began to wait shortly before is left out
 * @param types those that have waited longest first; at most one of each kind is
 *     {@linkplain WaitingType#isRest the rest}
 * @param isCut whether there was more than was read: then counts are lower bounds, and types may be missing of which
 *     all work came after the oldest that was read
 */
public record WaitingWork(Instant at, List<WaitingType> types, boolean isCut) {
    /** Nothing waits. */
    public static WaitingWork none(Instant at) {
        return new WaitingWork(at, List.of(), false);
    }

    public WaitingWork {
        Objects.requireNonNull(at, "at");
        types = List.copyOf(types);
    }

    /** Who takes it. */
    public enum Kind {
        /** Whoever runs an orchestration. */
        TURN,
        /** Whoever runs an activity. */
        ACTIVITY
    }

    /**
     * Work of one type.
     *
     * @param name of the orchestration; of an activity its tag, or its name where it has no tag. Empty for the rest
     * @param version of the orchestration, empty where it has none; null where it is not known, and for activities
     * @param count instances that have a turn to take, or activities
     * @param since when the oldest of them began to wait
     * @param isTaken whether a process that has read the report lately takes it; of the rest that is not known, and it
     *     counts as taken
     */
    public record WaitingType(
            Kind kind, String name, @Nullable String version, int count, Instant since, boolean isTaken) {
        public WaitingType {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(since, "since");
        }

        /** Whether it stands for all types that are not named, for there are too many, or their names are too long. */
        public boolean isRest() {
            return name.isEmpty();
        }

        /** The same, taken or not. */
        public WaitingType withTaken(boolean taken) {
            return new WaitingType(kind, name, version, count, since, taken);
        }
    }
}
