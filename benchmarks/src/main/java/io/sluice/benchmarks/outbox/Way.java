package io.sluice.benchmarks.outbox;

import java.time.Duration;

/** A way for intents to reach their targets. */
enum Way {
    /** The ack that commits them tries at once. */
    OWN_TRY("own try of the ack", Duration.ZERO),
    /** They are left to a relay, which reads the change feed. */
    RELAY("relay", Duration.ofSeconds(3)),
    /** They are left to a reconciler, which polls. */
    POLLING("polling every 2 s", Duration.ZERO);

    private final String text;
    private final Duration untilIdle;

    Way(String text, Duration untilIdle) {
        this.text = text;
        this.untilIdle = untilIdle;
    }

    /** After which, when nothing was written, it looks for intents no oftener than ever. */
    Duration untilIdle() {
        return untilIdle;
    }

    /** As the page calls it. */
    @Override
    public String toString() {
        return text;
    }
}
