package io.sluice.benchmarks.dispatch;

import java.util.Locale;

/** How runtimes learn where work is. */
enum Way {
    /** They query the store. */
    POLLED,
    /** A relay announces it in Kafka. */
    ANNOUNCED;

    /** As figures name it. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
