package io.sluice.client.lifecycle;

import java.time.Instant;
import java.util.Objects;

/** Where reading begins, on partitions of which nothing says otherwise. */
public sealed interface StartAt {
    /** With the oldest record that the topic still has. */
    static StartAt beginning() {
        return new Beginning();
    }

    /** With what comes from now on. */
    static StartAt end() {
        return new End();
    }

    /** With the first record that was written at that time or later. */
    static StartAt time(Instant time) {
        return new Time(time);
    }

    /** See {@link StartAt#beginning}. */
    record Beginning() implements StartAt {}

    /** See {@link StartAt#end}. */
    record End() implements StartAt {}

    /**
     * See {@link StartAt#time}.
     *
     * <p>An event is written after it happened, by another clock: seconds later as a rule, or as long as a relay was
     * away. Whoever goes on after an event whose time is known goes back from there by more than clocks may differ, and
     * leaves out what it has seen by {@link LifecycleEvent#id}.
     *
     * @param time of the broker, when it wrote the record; of a topic that was created by a relay before 2026-11-28 and
     *     not altered since, of the event, as the runtime made it
     */
    record Time(Instant time) implements StartAt {
        public Time {
            Objects.requireNonNull(time, "time");
        }
    }
}
