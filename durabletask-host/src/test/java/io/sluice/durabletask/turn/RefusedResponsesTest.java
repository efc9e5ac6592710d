package io.sluice.durabletask.turn;

import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.continued;
import static io.sluice.durabletask.turn.Answers.having;
import static io.sluice.durabletask.turn.Answers.raised;
import static io.sluice.durabletask.turn.Answers.send;
import static io.sluice.durabletask.turn.Answers.taskCompleted;
import static io.sluice.durabletask.turn.Answers.terminate;
import static io.sluice.durabletask.turn.Answers.withStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.turn.RefusedResponseException.Problem;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that commit nothing, and how they are told so. */
class RefusedResponsesTest {
    private static final int TOO_LONG = TurnLimits.MAX_EVENT_BYTES + 1;

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(
                        answer(completed(0, "1"), completed(1, "2")),
                        Problem.INVALID_ARGUMENT,
                        "actions: an execution ends once, had 2 actions that complete it"),
                Arguments.of(
                        answer(Answers.complete(3, OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED, null)),
                        Problem.INVALID_ARGUMENT,
                        "action 3: completeOrchestration.orchestrationStatus must be COMPLETED, FAILED, TERMINATED,"
                                + " CANCELED or CONTINUED_AS_NEW, was ORCHESTRATION_STATUS_SUSPENDED"),
                Arguments.of(
                        answer(continued(3, "2", raised("a", "1"), taskCompleted(1, "2"))),
                        Problem.INVALID_ARGUMENT,
                        "action 3: completeOrchestration.carryoverEvents holds what comes from outside,"
                                + " had TASKCOMPLETED"),
                Arguments.of(
                        having(answer(), 1),
                        Problem.INVALID_ARGUMENT,
                        "numEventsProcessed must be at least 2, the events that begin the turn; was 1"),
                Arguments.of(
                        answer(timerWithoutTime()),
                        Problem.INVALID_ARGUMENT,
                        "action 4: createTimer.fireAt is missing"),
                Arguments.of(
                        answer(OrchestratorAction.newBuilder().setId(4).build()),
                        Problem.UNIMPLEMENTED,
                        "action 4 (ORCHESTRATORACTIONTYPE_NOT_SET): this host does not know what the action asks for"),
                Arguments.of(
                        answer(entityMessage()),
                        Problem.UNIMPLEMENTED,
                        "action 4 (SENDENTITYMESSAGE): entities are not hosted yet"),
                Arguments.of(
                        answer(rewinding()),
                        Problem.UNIMPLEMENTED,
                        "action 4 (REWINDORCHESTRATION): rewinding is not offered yet"),
                Arguments.of(
                        withStatus(answer(), "é".repeat(TurnLimits.MAX_CUSTOM_STATUS_BYTES / 2 + 1)),
                        Problem.RESOURCE_EXHAUSTED,
                        "customStatus: as stored, with escapes, it takes 262146 bytes, the limit is 262144"));
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("refused")
    void an_answer_that_can_not_be_committed_names_what_is_wrong(
            OrchestratorResponse answer, Problem problem, String message) {
        RefusedResponseException refusal = refusalOf(answer);

        assertThat(refusal).hasMessage(message);
        assertThat(refusal.problem()).isEqualTo(problem);
    }

    @Test
    void a_payload_that_nobody_can_be_told_of_is_named() {
        RefusedResponseException refusal = refusalOf(answer(send(0, "order-8", "paid", "x".repeat(TOO_LONG))));

        assertThat(refusal.problem()).isEqualTo(Problem.RESOURCE_EXHAUSTED);
        assertThat(refusal).hasMessageStartingWith("action 0, sendEvent.data: as stored, with escapes, it takes ");
        assertThat(refusal.toString().length()).as("without the payload").isLessThan(400);
    }

    @Test
    void events_carried_over_count_together() {
        var one = raised("a", "x".repeat(TurnLimits.MAX_EVENT_BYTES / 4));

        assertThat(refusalOf(answer(continued(0, "2", one, one, one, one))))
                .hasMessageStartingWith("action 0, completeOrchestration.carryoverEvents: ");
    }

    @Test
    void a_reason_that_has_no_room_on_its_way_is_named() {
        String quotes = "\"".repeat(230_000);

        assertThat(refusalOf(answer(terminate(0, "order-8", quotes, false))))
                .hasMessageStartingWith("action 0, terminateOrchestration.reason: on its way to another instance, as"
                        + " stored, with escapes, it takes 184");
    }

    @Test
    void the_next_version_has_a_length() {
        var action = continued(0, "2").toBuilder();
        action.getCompleteOrchestrationBuilder().setNewVersion(Wire.text("1".repeat(1_001)));

        assertThat(refusalOf(answer(action.build())))
                .hasMessage("action 0: completeOrchestration.newVersion: name and version of an orchestration have at"
                        + " most 1000 bytes each, this one has 1001");
    }

    @Test
    void a_first_event_that_leaves_no_room_for_the_instance_is_no_fault_of_the_answer() {
        WorkItem start = MessageEncoder.start(
                "order-7", Answers.starting("Order", "x".repeat(TurnLimits.MAX_DOCUMENT_BYTES)), null);

        assertThat(catchThrowableOfType(
                        RefusedResponseException.class, () -> Scenario.fresh().outcome(answer(), start)))
                .hasMessageStartingWith("the turn: with the instance and the first event of the turn, ");
    }

    @Test
    void a_refused_turn_is_tried_again_ever_later() {
        assertThat(Stream.of(0, 1, 2, 3, 9, 10, 1_000_000).map(RefusedResponseException::pause))
                .map(Duration::toSeconds)
                .containsExactly(1L, 1L, 2L, 4L, 256L, 300L, 300L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "@counter@7", "order 7", "grüße", "a:000b", "{\"a\":1}", "100% %1"})
    void ids_that_the_store_holds(String id) {
        assertThat(TurnLimits.instanceIdFault(id)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a\\b", "a?", "#", "a\nb", "a ", "a%2Fb"})
    void ids_that_the_store_refuses(String id) {
        assertThat(TurnLimits.instanceIdFault(id)).get().asString().startsWith("an instance id holds none of / \\ ? #");
    }

    @Test
    void ids_have_a_length() {
        assertThat(TurnLimits.instanceIdFault("")).contains("an instance id must not be empty");
        assertThat(TurnLimits.instanceIdFault("é".repeat(475))).isEmpty();
        assertThat(TurnLimits.instanceIdFault("é".repeat(476)))
                .contains("an instance id has at most 950 bytes of UTF-8, this one has 952");
    }

    private static RefusedResponseException refusalOf(OrchestratorResponse answer) {
        return catchThrowableOfType(
                RefusedResponseException.class, () -> Scenario.fresh().outcome(answer, start()));
    }

    private static OrchestratorAction timerWithoutTime() {
        var action = OrchestratorAction.newBuilder().setId(4);
        action.getCreateTimerBuilder();
        return action.build();
    }

    private static OrchestratorAction entityMessage() {
        var action = OrchestratorAction.newBuilder().setId(4);
        action.getSendEntityMessageBuilder().getEntityOperationSignaledBuilder();
        return action.build();
    }

    private static OrchestratorAction rewinding() {
        var action = OrchestratorAction.newBuilder().setId(4);
        action.getRewindOrchestrationBuilder();
        return action.build();
    }

    private static WorkItem start() {
        return MessageEncoder.start("order-7", Answers.starting("Order", "1"), null);
    }
}
