package io.sluice.examples.servers;

import java.time.Duration;

/** The wait between two looks at something outside of this process. */
public final class Pause {
    private Pause() {}

    /** Sleeps. */
    public static void of(Duration length) {
        try {
            Thread.sleep(length.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExampleException("interrupted", e);
        }
    }
}
