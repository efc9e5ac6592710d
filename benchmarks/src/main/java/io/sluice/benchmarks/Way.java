package io.sluice.benchmarks;

import java.util.Locale;

/** How runtimes learn where work is. */
enum Way {
    /** They query the store. */
    POLLED,
    /** A relay announces it in Kafka. */
    ANNOUNCED;

    /** As cases name it. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Way named(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
