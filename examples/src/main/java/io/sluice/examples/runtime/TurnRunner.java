package io.sluice.examples.runtime;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Decides what becomes of a fetched turn. Pure but for the clock: nothing is stored here, so a turn may be worked out
 * again.
 */
final class TurnRunner {
    /** Where the contract puts the failure of an execution whose history can't be read. */
    private static final long SENTINEL_EVENT_ID = 99_999;

    private static final Duration TRANSITION_PAUSE = Duration.ofMillis(100);
    private static final Duration UNREADABLE_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_UNREGISTERED_PAUSE = Duration.ofSeconds(60);

    private final Registry registry;
    private final RuntimeConfig config;
    private final InstantSource clock;

    TurnRunner(Registry registry, RuntimeConfig config, InstantSource clock) {
        this.registry = registry;
        this.config = config;
        this.clock = clock;
    }

    TurnDecision decide(LockedTurn locked) {
        String historyError = locked.item().historyError();
        if (historyError != null) {
            return decideUnreadable(locked, historyError);
        }
        Turn turn = new Turn(registry, locked, clock.millis());
        if (turn.log().hasEnded()) {
            return new TurnDecision.Commit(turn.refuseAll());
        } else if (!turn.tryBegin()) {
            return turn.log().isEmpty()
                    ? new TurnDecision.Abandon(UNREADABLE_PAUSE, false, "no message starts the instance")
                    : new TurnDecision.Abandon(TRANSITION_PAUSE, true, "the next execution has not started");
        } else if (locked.attemptCount() > config.maxAttempts()) {
            return new TurnDecision.Commit(turn.fail(Failures.poisonedTurn(locked, config.maxAttempts())));
        }
        EventKind.OrchestrationStarted started = turn.log().started();
        Optional<Orchestration> code = registry.findOrchestration(started.name(), started.version());
        return code.isPresent()
                ? new TurnDecision.Commit(turn.run(code.get()))
                : new TurnDecision.Abandon(
                        unregisteredPause(locked.attemptCount()), false, "no orchestration named " + started.name());
    }

    /** The ack that ends the instance as failed, whatever the turn's own ack was. */
    TurnAck fail(LockedTurn locked, ErrorDetails details) {
        Turn turn = new Turn(registry, locked, clock.millis());
        turn.tryBegin();
        return turn.fail(details);
    }

    private TurnDecision decideUnreadable(LockedTurn locked, String error) {
        if (locked.attemptCount() <= config.maxAttempts()) {
            return new TurnDecision.Abandon(UNREADABLE_PAUSE, false, "history can't be read: " + error);
        }
        OrchestrationItem item = locked.item();
        ErrorDetails details = Failures.unreadableHistory(locked, config.maxAttempts(), error);
        HistoryEvent failed = HistoryEvent.of(
                SENTINEL_EVENT_ID,
                item.instance(),
                item.executionId(),
                clock.millis(),
                EventLog.DUROXIDE_VERSION,
                new EventKind.OrchestrationFailed(details));
        return new TurnDecision.Commit(TurnAck.of(locked.lockToken(), item.executionId())
                .withHistory(List.of(failed))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Failed", details.text())));
    }

    private Duration unregisteredPause(int attempt) {
        Duration pause = config.timing().unregisteredPause().multipliedBy(1L << Math.min(Math.max(attempt - 1, 0), 6));
        return pause.compareTo(LONGEST_UNREGISTERED_PAUSE) > 0 ? LONGEST_UNREGISTERED_PAUSE : pause;
    }
}
