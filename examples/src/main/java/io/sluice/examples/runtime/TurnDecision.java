package io.sluice.examples.runtime;

import io.sluice.provider.TurnAck;
import java.time.Duration;

/** What a dispatcher does with a fetched turn. */
sealed interface TurnDecision {
    /** Commit it. */
    record Commit(TurnAck ack) implements TurnDecision {}

    /** Give it back for a while. */
    record Abandon(Duration delay, boolean ignoreAttempt, String why) implements TurnDecision {}
}
