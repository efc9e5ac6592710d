package io.sluice.durabletask.turn;

import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.continued;
import static io.sluice.durabletask.turn.Answers.failed;
import static io.sluice.durabletask.turn.Answers.raised;
import static io.sluice.durabletask.turn.Answers.send;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.turn.Answers.terminate;
import static io.sluice.durabletask.turn.Answers.terminated;
import static io.sluice.durabletask.turn.Answers.terminating;
import static io.sluice.durabletask.turn.Answers.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.durabletask.activity.ActivityCompletion;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.ParentLink;
import io.sluice.durabletask.wire.Failures;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The largest answers that are not refused: a store commits them, and the turns that follow from them. */
class LargeTurnsIT {
    private static final String ID = "an \"order\"";
    private static final int MOST = 1_800_000;
    private static final int EXACTNESS = 200;

    /** Characters that take one, eight, and nine bytes in a message to another instance. */
    private static final String[] CHARACTERS = {"x", "\"", "\u0001"};

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private StoredTurns turns;

    @BeforeEach
    void open() {
        account.requireEmulator();
        turns = new StoredTurns(account);
    }

    @AfterEach
    void close() {
        turns.close();
    }

    /** Answers that carry one payload, by what it is; children and next inputs have tests of their own. */
    private static Stream<Named<Function<String, OrchestratorResponse>>> answers() {
        return Stream.of(
                Named.of("task", payload -> answer(task(0, "ship", payload))),
                Named.of("event", payload -> answer(send(0, "other", "paid", payload))),
                Named.of("event to itself", payload -> answer(send(0, ID, "paid", payload))),
                Named.of("termination", payload -> answer(terminate(0, "other", payload, true))),
                Named.of("output", payload -> answer(Answers.completed(0, payload))),
                Named.of("failure", payload -> answer(failed(0, "Boom", payload))),
                Named.of("carried event", payload -> answer(continued(0, "2", raised("a", payload)))),
                Named.of("custom status", payload -> withStatus(answer(), payload)));
    }

    /** Each kind with each character; in the first tier with one of them, the next kind with the next. */
    static Stream<Arguments> payloads() {
        int each = Tier.times(1, CHARACTERS.length);
        var kinds = answers().toList();
        return IntStream.range(0, kinds.size())
                .boxed()
                .flatMap(kind -> IntStream.range(kind, kind + each)
                        .mapToObj(i -> Arguments.of(kinds.get(kind), CHARACTERS[i % CHARACTERS.length])));
    }

    /** In the first tier the one that takes the most bytes. */
    static Stream<String> characters() {
        return Stream.of(CHARACTERS).skip(CHARACTERS.length - Tier.times(1, CHARACTERS.length));
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void an_answer_just_within_the_limits_is_committed(
            Function<String, OrchestratorResponse> answer, String character) {
        turns.send(startByParent("x".repeat(1_000_000)));
        StoredTurns.Fetched fetched = turns.fetch();
        int largest = largest(n -> isTaken(fetched, answer.apply(character.repeat(n))));

        assertThat(largest).isGreaterThan(20_000);
        turns.commit(fetched, fetched.answered(answer.apply(character.repeat(largest))));

        assertThat(turns.instance(ID).executionId()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("characters")
    void no_output_is_too_large_for_an_instance_to_end(String character) {
        turns.send(startByParent("\"".repeat(370_000)));
        turns.turn(withStatus(answer(Answers.completed(0, character.repeat(MOST))), fullStatus()));

        assertThat(turns.instance(ID).status()).isEqualTo("Failed");
        assertThat(Objects.requireNonNull(turns.instance(ID).texts()).output())
                .startsWith("action 0, completeOrchestration.result: ");
    }

    @ParameterizedTest
    @MethodSource("characters")
    void an_event_just_within_the_limits_does_not_keep_an_instance_from_going_on(String character) {
        turns.start(ID, "1");
        turns.turn(withStatus(answer(), fullStatus()));
        turns.send(largestEvent(character));

        turns.turn(answer(task(0, "ship", "1")));

        assertThat(turns.provider().read(ID)).hasSize(4);
    }

    @Test
    void the_reason_of_a_termination_just_within_the_limits_does_not_keep_an_instance_from_ending() {
        turns.start(ID, "1");
        turns.turn(withStatus(answer(), fullStatus()));
        int largest = largest(n -> TurnLimits.messageFault(termination(n)).isEmpty());
        turns.send(termination(largest));

        turns.turn(answer(terminated(0, "x".repeat(largest))));

        assertThat(turns.instance(ID).status()).isEqualTo("Failed");
    }

    @ParameterizedTest
    @MethodSource("characters")
    void a_continuation_just_within_the_limits_begins_and_ends(String character) {
        turns.start(ID, "1");
        StoredTurns.Fetched fetched = turns.fetch();
        Function<Integer, OrchestratorResponse> continuing =
                n -> withStatus(answer(continued(0, character.repeat(n))), fullStatus());
        int largest = largest(n -> isTaken(fetched, continuing.apply(n)));
        turns.commit(fetched, fetched.answered(continuing.apply(largest)));

        turns.turn(answer(Answers.completed(0, "x".repeat(300_000))));

        assertThat(turns.instance(ID).executionId()).isEqualTo(2);
        assertThat(turns.instance(ID).status()).isEqualTo("Completed");
        assertThat(Objects.requireNonNull(turns.instance(ID).texts()).output())
                .as("has no room beside the first event")
                .isNull();
    }

    @ParameterizedTest
    @MethodSource("characters")
    void a_child_with_an_input_just_within_the_limits_begins(String character) {
        turns.start(ID, "1");
        StoredTurns.Fetched fetched = turns.fetch();
        int largest = largest(n -> isTaken(fetched, child(character.repeat(n))));
        turns.commit(fetched, fetched.answered(child(character.repeat(largest))));

        turns.turn(withStatus(answer(), fullStatus()));

        assertThat(Objects.requireNonNull(turns.instance("a child").texts())
                        .customStatus()
                        .status())
                .isEqualTo(fullStatus());
    }

    @ParameterizedTest
    @MethodSource("characters")
    void no_result_of_an_activity_keeps_an_instance_from_going_on(String character) {
        turns.start(ID, "1");
        turns.turn(withStatus(answer(task(0, "ship", "1")), fullStatus()));
        LockedWorkItem activity = turns.fetchActivity();
        int largest = largest(n -> completed(activity, character.repeat(n)) instanceof WorkItem.ActivityCompleted);
        turns.provider().ackWorkItem(activity.lockToken(), completed(activity, character.repeat(largest)));
        turns.turn(answer(task(1, "ship", "2")));

        LockedWorkItem second = turns.fetchActivity();
        turns.provider().ackWorkItem(second.lockToken(), completed(second, character.repeat(MOST)));
        turns.turn(answer(Answers.completed(2, "42")));

        assertThat(turns.provider().read(ID))
                .extracting(HistoryEvent::type)
                .contains("ActivityCompleted", "ActivityFailed", "OrchestrationCompleted");
    }

    private static WorkItem completed(LockedWorkItem activity, String result) {
        var response = Protocol.ActivityResponse.newBuilder().setResult(Wire.text(result));
        return ActivityCompletion.of((WorkItem.ActivityExecute) activity.item(), response.build(), Scenario.NOW);
    }

    private static boolean isTaken(StoredTurns.Fetched fetched, OrchestratorResponse answer) {
        try {
            TurnOutcome outcome = fetched.answered(answer);
            boolean fails = outcome.state().failure() != null
                    && outcome.state().failure().getErrorType().equals(Failures.TOO_LARGE);
            boolean cut = outcome.metadata().output() != null
                    && outcome.metadata().output().contains("… (cut");
            return !fails
                    && !cut
                    && outcome.orchestratorItems().stream()
                            .noneMatch(message -> message.routedInstance().equals(ID)
                                    && (message instanceof WorkItem.ActivityFailed
                                            || message instanceof WorkItem.SubOrchFailed));
        } catch (RefusedResponseException e) {
            return false;
        }
    }

    /** The largest number that satisfies a condition which no larger one does, or one a little smaller. */
    private static int largest(IntPredicate condition) {
        int taken = 0;
        int refused = MOST;
        while (refused - taken > EXACTNESS) {
            int middle = (taken + refused) / 2;
            if (condition.test(middle)) {
                taken = middle;
            } else {
                refused = middle;
            }
        }
        return taken;
    }

    private static String fullStatus() {
        return "\"".repeat(TurnLimits.MAX_CUSTOM_STATUS_BYTES / 2);
    }

    private static OrchestratorResponse child(String input) {
        var action = Answers.child(0, "a child", "Ship").toBuilder();
        action.getCreateSubOrchestrationBuilder().setInput(Wire.text(input));
        return answer(action.build());
    }

    private static WorkItem largestEvent(String character) {
        Function<Integer, WorkItem> event = n -> MessageEncoder.external(ID, raised("paid", character.repeat(n)));
        return event.apply(largest(n -> TurnLimits.messageFault(event.apply(n)).isEmpty()));
    }

    private static WorkItem termination(int characters) {
        return MessageEncoder.external(ID, terminating("x".repeat(characters), false));
    }

    private static WorkItem startByParent(String input) {
        var started = Answers.starting("Order", input).toBuilder();
        started.getExecutionStartedBuilder().getParentInstanceBuilder().setTaskScheduledId(3);
        return MessageEncoder.start(ID, started.build(), new ParentLink("parent", 2, 11));
    }
}
