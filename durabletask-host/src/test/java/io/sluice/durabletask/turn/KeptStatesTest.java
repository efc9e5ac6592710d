package io.sluice.durabletask.turn;

import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.continued;
import static io.sluice.durabletask.turn.Answers.raised;
import static io.sluice.durabletask.turn.Answers.resuming;
import static io.sluice.durabletask.turn.Answers.suspending;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.state.InstanceState;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.work.WorkItem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a turn gives the store what is kept along with its instance. */
class KeptStatesTest {
    @Test
    void the_first_turn_gives_it() {
        InstanceExt ext = Scenario.fresh()
                .outcome(answer(), MessageEncoder.start("order-7", Answers.starting("Order", "[7]"), null))
                .toAck("token")
                .metadata()
                .ext();

        assertThat(InstanceState.of(ext)).hasValueSatisfying(state -> {
            assertThat(state.status()).isEqualTo(Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING);
            assertThat(state.executionGuid()).isEqualTo("guid-1");
            assertThat(state.tags()).containsEntry("tenant", "a");
            assertThat(state.inputCharacters()).isEqualTo(3);
        });
    }

    @Test
    void a_turn_that_changes_nothing_of_it_leaves_it_as_it_is() {
        Scenario scenario = Scenario.started(answer());

        assertThat(given(scenario, answer(), scenario.external(raised("a", "1"))))
                .isNull();
    }

    @Test
    void it_is_given_when_an_instance_is_suspended_or_resumed() {
        Scenario scenario = Scenario.started(answer());

        assertThat(given(scenario, answer(), scenario.external(suspending()))).contains("\"status\":\"SUSPENDED\"");
        scenario.commit(answer(), scenario.external(suspending()));
        assertThat(given(scenario, answer(), scenario.external(suspending()))).isNull();
        assertThat(given(scenario, answer(), scenario.external(resuming()))).contains("\"status\":\"RUNNING\"");
        assertThat(given(scenario, answer(), scenario.external(resuming()), scenario.external(suspending())))
                .isNull();
    }

    @Test
    void it_is_given_when_an_instance_ends() {
        Scenario scenario = Scenario.started(answer());

        assertThat(given(scenario, answer(completed(0, "42")), scenario.external(raised("a", "1"))))
                .contains("\"status\":\"COMPLETED\"")
                .contains("\"completedAt\":1781510411000");
    }

    @Test
    void the_next_execution_gives_its_own() {
        Scenario scenario = Scenario.started(answer(continued(0, "2")));

        assertThat(given(scenario, answer(), scenario.ownMessages()))
                .contains("\"status\":\"RUNNING\"")
                .contains("\"execution\":\"guid-2\"");
    }

    private static @Nullable String given(Scenario scenario, OrchestratorResponse answer, WorkItem... messages) {
        InstanceExt ext =
                scenario.outcome(answer, messages).toAck("token").metadata().ext();
        return ext == null ? null : ext.json();
    }
}
