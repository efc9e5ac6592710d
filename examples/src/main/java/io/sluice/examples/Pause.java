package io.sluice.examples;

import java.time.Duration;

/** Waits between two looks at something outside of this process. */
final class Pause {
    private Pause() {}

    static void of(Duration length) {
        try {
            Thread.sleep(length.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoException("interrupted", e);
        }
    }
}
