package io.sluice.relay.control;

import java.util.Locale;

/** The pipelines of the relay, which can be paused one by one. */
public enum Pipeline {
    /** Intents into their target partitions. */
    INTENTS,
    /** Histories into Kafka. */
    EVENTS,
    /** Commands out of Kafka into queues. */
    COMMANDS;

    /** As an operator writes it, and as metrics are tagged. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
