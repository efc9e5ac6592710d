package io.sluice.examples.servers;

import java.time.Duration;

/** Sleeps between two checks of another process. */
public final class Pause {
    private Pause() {}

    /**
     * Sleeps this long.
     *
     * @throws ExampleException when interrupted
     */
    public static void sleep(Duration length) {
        try {
            Thread.sleep(length.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExampleException("interrupted", e);
        }
    }
}
