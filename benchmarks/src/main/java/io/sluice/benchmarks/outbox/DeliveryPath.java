package io.sluice.benchmarks.outbox;

import java.time.Duration;

/** The ways by which an intent can reach its target. */
enum DeliveryPath {
    /** The ack that commits them tries at once. */
    OWN_TRY("own try of the ack", Duration.ZERO),
    /** They are left to a relay, which reads the change feed. */
    RELAY("relay", Duration.ofSeconds(3)),
    /** They are left to a reconciler, which polls. */
    POLLING("polling every 2 s", Duration.ZERO);

    private final String text;
    private final Duration untilIdle;

    DeliveryPath(String text, Duration untilIdle) {
        this.text = text;
        this.untilIdle = untilIdle;
    }

    /** The time without writes after which it looks for intents at its slowest pace. */
    Duration untilIdle() {
        return untilIdle;
    }

    /** The name on the page. */
    @Override
    public String toString() {
        return text;
    }
}
