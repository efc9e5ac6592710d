package io.sluice.durabletask.turn;

import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.raised;
import static io.sluice.durabletask.turn.Answers.suspending;
import static io.sluice.durabletask.turn.Answers.terminated;
import static io.sluice.durabletask.turn.Answers.terminating;
import static io.sluice.durabletask.turn.Answers.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.turn.StoredTurns.Fetched;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.CustomStatus;
import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceSummary;
import io.sluice.testkit.CosmosAccount;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a store shows of an instance after its turns. */
class StoredTurnsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private StoredTurns turns;

    @BeforeEach
    void open() {
        turns = new StoredTurns(account);
    }

    @AfterEach
    void close() {
        turns.close();
    }

    @Test
    void a_child_that_is_started_again_does_not_show_the_custom_status_of_its_predecessor() {
        turns.send(Scenario.startOfChild("first"));
        turns.turn(withStatus(answer(failed(0, "Boom", "once")), "half"));
        assertThat(customStatus("child")).isEqualTo(new CustomStatus("half", 1));

        turns.send(Scenario.startOfChild("second"));
        turns.turn(answer());

        assertThat(customStatus("child")).isEqualTo(new CustomStatus(null, 2));
    }

    @Test
    void an_instance_is_shown_in_all_its_states() {
        turns.startPending("order-7", "[7]");
        assertThat(shown("order-7").getOrchestrationStatus())
                .isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_PENDING);

        turns.turn(withStatus(answer(), "half"));
        OrchestrationState running = shown("order-7");
        assertThat(running.getOrchestrationStatus()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING);
        assertThat(running.getTagsMap()).containsEntry("tenant", "a");
        assertThat(running.getExecutionId().getValue()).isNotEmpty();

        turns.send(MessageEncoder.external("order-7", suspending()));
        turns.turn(answer());
        turns.send(MessageEncoder.external("order-7", raised("a", "1")));
        turns.turn(answer());
        assertThat(shown("order-7").getOrchestrationStatus())
                .as("kept by a turn that gives nothing")
                .isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED);

        turns.send(MessageEncoder.external("order-7", terminating("late", false)));
        turns.turn(answer(terminated(0, "late")));
        OrchestrationState ended = shown("order-7");
        assertThat(ended.getOrchestrationStatus()).isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED);
        assertThat(ended.getOutput().getValue()).isEqualTo("late");
        assertThat(ended.getCustomStatus().getValue()).isEqualTo("half");
        assertThat(ended.getExecutionId()).isEqualTo(running.getExecutionId());
        assertThat(ended.hasCompletedTimestamp()).isTrue();
    }

    @Test
    void instances_are_found_by_status_and_by_the_time_of_their_end() {
        turns.startPending("waiting", "1");
        turns.startPending("ended", "1");
        Fetched first = turns.fetch();
        Fetched second = turns.fetch();
        Fetched ended = first.turn().instance().equals("ended") ? first : second;
        turns.commit(ended, ended.answered(answer(completed(0, "42"))));
        Instant end = Wire.instant(shown("ended").getCompletedTimestamp());

        assertThat(found(OrchestrationStates.withStatus(List.of(OrchestrationStatus.ORCHESTRATION_STATUS_PENDING))))
                .containsExactly("waiting");
        assertThat(found(OrchestrationStates.completed(end, end))).containsExactly("ended");
        assertThat(found(OrchestrationStates.completed(end.plusMillis(1), null)))
                .isEmpty();
    }

    private List<String> found(ExtCondition condition) {
        return turns
                .provider()
                .queries()
                .query(InstanceQuery.ALL.withExt(List.of(condition)), 10, null)
                .instances()
                .stream()
                .map(InstanceSummary::instanceId)
                .toList();
    }

    private OrchestrationState shown(String instance) {
        return OrchestrationStates.withPayloads(turns.instance(instance));
    }

    private CustomStatus customStatus(String instance) {
        return Objects.requireNonNull(turns.instance(instance).texts()).customStatus();
    }
}
