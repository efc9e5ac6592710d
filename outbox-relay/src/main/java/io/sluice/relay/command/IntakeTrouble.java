package io.sluice.relay.command;

import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What keeps commands from being taken. A turn that finds nothing to do does not end it at once: the batch that failed is on its way again. Belongs to the
 * consumer's thread.
 */
final class IntakeTrouble {
    private static final long QUIET_MILLIS = Duration.ofSeconds(10).toMillis();

    private final InstantSource clock;
    private @Nullable String text;
    private long metMillis;

    IntakeTrouble(InstantSource clock) {
        this.clock = clock;
    }

    void met(String words) {
        text = words;
        metMillis = clock.millis();
    }

    /** A batch was committed. */
    void over() {
        text = null;
    }

    /** A turn went well and there was no batch. */
    void nothingToDo() {
        if (clock.millis() - metMillis > QUIET_MILLIS) {
            text = null;
        }
    }

    /** In words; null for none. */
    @Nullable
    String text() {
        return text;
    }
}
