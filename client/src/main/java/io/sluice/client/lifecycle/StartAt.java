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

    /** With the first record of that time or later. */
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
     * @param time of the events, as the runtimes made them; of one that was made in the relay's future, when it was
     *     published
     */
    record Time(Instant time) implements StartAt {
        public Time {
            Objects.requireNonNull(time, "time");
        }
    }
}
