package io.sluice.examples.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What section 1.1 of the provider contract asks of a runtime, and its poison rules. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContractErrorsTest {
    private static final Orchestration MAIN =
            (context, input) -> context.activity("explode", input).await();
    private static final Registry REGISTRY = new Registry()
            .orchestration("main", MAIN)
            .activity("explode", task -> {
                throw new IllegalStateException("boom");
            });

    @Test
    void a_retryable_ack_failure_is_repeated_and_does_no_harm() {
        Simulation run = new Simulation(REGISTRY);
        run.provider().ackRefusals.addAll(Collections.nCopies(5, throttled()));

        run.start("i", "main", "").turn();

        assertThat(run.types("i")).containsExactly("OrchestrationStarted", "ActivityScheduled");
    }

    @Test
    void an_ack_that_keeps_failing_gives_the_turn_back_and_counts_the_attempt() {
        Simulation run = new Simulation(REGISTRY);
        run.provider().ackRefusals.addAll(Collections.nCopies(6, throttled()));

        run.start("i", "main", "").turn();

        assertThat(run.history("i")).isEmpty();
        assertThat(run.provider().abandonments).containsExactly(false);
    }

    @Test
    void a_permanent_ack_failure_fails_the_instance_under_the_same_token() {
        Simulation run = new Simulation(REGISTRY);
        run.provider().ackRefusals.add(ProviderException.permanent("ackOrchestrationItem", "too large"));

        run.start("i", "main", "").turn();

        assertThat(run.types("i")).containsExactly("OrchestrationStarted", "OrchestrationFailed");
        assertThat(run.lastAck().metadata().output()).isEqualTo("too large");
        assertThat(run.lastAck().workerItems()).isEmpty();
    }

    @Test
    void a_permanent_failure_of_both_acks_gives_the_turn_back() {
        Simulation run = new Simulation(REGISTRY);
        run.provider()
                .ackRefusals
                .addAll(Collections.nCopies(2, ProviderException.permanent("ackOrchestrationItem", "no")));

        run.start("i", "main", "").turn();

        assertThat(run.provider().abandonments).containsExactly(false);
    }

    @Test
    void an_activity_that_throws_fails_its_step() {
        Simulation run = new Simulation(REGISTRY);

        run.start("i", "main", "").runToEnd();

        assertThat(run.ending("i"))
                .isEqualTo(new EventKind.OrchestrationFailed(new ErrorDetails.Application(
                        ErrorDetails.ApplicationKind.Plain.PANICKED, "java.lang.IllegalStateException: boom", false)));
    }

    @Test
    void an_activity_nobody_registered_fails_its_step() {
        Simulation run = new Simulation(new Registry().orchestration("main", MAIN));

        run.start("i", "main", "").runToEnd();

        assertThat(run.lastAck().metadata().output()).contains("no activity named explode");
    }

    @Test
    void an_unregistered_orchestration_is_given_back_for_longer_and_longer() {
        assertThat(decide(turn(1, "other", null))).isEqualTo(givenBack(Duration.ofSeconds(1)));
        assertThat(decide(turn(4, "other", null))).isEqualTo(givenBack(Duration.ofSeconds(8)));
        assertThat(decide(turn(10, "other", null))).isEqualTo(givenBack(Duration.ofSeconds(60)));
    }

    @Test
    void a_turn_fetched_too_often_is_poison() {
        TurnDecision decision = decide(turn(11, "main", null));

        assertThat(decision).isInstanceOfSatisfying(TurnDecision.Commit.class, commit -> {
            HistoryEvent last = commit.ack().historyDelta().get(1);
            assertThat(last.kind()).isInstanceOf(EventKind.OrchestrationFailed.class);
            assertThat(((EventKind.OrchestrationFailed) last.kind()).details()).isInstanceOf(ErrorDetails.Poison.class);
        });
    }

    @Test
    void an_unreadable_history_is_waited_out_and_then_failed_at_the_sentinel_event() {
        assertThat(decide(turn(10, "main", "unknown event type"))).isInstanceOf(TurnDecision.Abandon.class);
        assertThat(decide(turn(11, "main", "unknown event type")))
                .isInstanceOfSatisfying(TurnDecision.Commit.class, commit -> {
                    assertThat(commit.ack().historyDelta())
                            .singleElement()
                            .extracting(HistoryEvent::eventId)
                            .isEqualTo(99_999L);
                    assertThat(commit.ack().metadata().status()).isEqualTo("Failed");
                });
    }

    private static ProviderException throttled() {
        return ProviderException.retryable("ackOrchestrationItem", "throttled", null);
    }

    private static TurnDecision givenBack(Duration delay) {
        return new TurnDecision.Abandon(delay, false, "no orchestration named other");
    }

    private static TurnDecision decide(LockedTurn turn) {
        return new TurnRunner(REGISTRY, RuntimeConfig.DEFAULT, () -> Instant.EPOCH).decide(turn);
    }

    private static LockedTurn turn(int attempts, String orchestration, @Nullable String historyError) {
        WorkItem start = new WorkItem.StartOrchestration("i", orchestration, "", null, null, null, null, 1);
        return new LockedTurn(
                new OrchestrationItem(
                        "i", orchestration, 1, "1.0.0", List.of(), List.of(start), historyError, Map.of()),
                "token",
                attempts);
    }
}
