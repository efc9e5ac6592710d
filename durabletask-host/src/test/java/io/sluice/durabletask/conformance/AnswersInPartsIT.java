package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.having;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.turn.Answers.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Int32Value;
import io.grpc.Status.Code;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of workers that come in parts. */
class AnswersInPartsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String activity = unique("Ship");

    private ScriptedWorker worker() {
        return host.worker().takes(name).takesActivity(activity).connect();
    }

    @SuppressWarnings("deprecation")
    private static OrchestratorResponse part(int index, boolean isLast, OrchestratorAction... actions) {
        return answer(actions).toBuilder()
                .setIsPartial(!isLast)
                .setChunkIndex(Int32Value.of(index))
                .build();
    }

    @Test
    void an_answer_may_come_in_parts() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        worker.complete(turn, part(0, false, task(0, activity, "a"), task(1, activity, "b")));
        worker.complete(turn, part(1, false, task(2, activity, "c")));
        worker.complete(turn, part(2, true, task(3, activity, "d")));

        for (int i = 0; i < 4; i++) {
            worker.activity(instance);
        }
        assertThat(Events.of(client.history(instance), EventTypeCase.TASKSCHEDULED))
                .hasSize(4);
    }

    @Test
    void of_an_answer_in_parts_the_first_says_how_many_events_it_took() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        worker.complete(turn, withStatus(part(0, false, task(0, activity, "a")), "busy"));
        worker.complete(turn, having(withStatus(part(1, true, task(1, activity, "b")), "busy"), 0));

        worker.activity(instance);
        worker.activity(instance);
        assertThat(client.state(instance).getCustomStatus()).isEqualTo(Wire.text("busy"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_answer_of_which_a_part_is_missing_is_refused_and_the_turn_comes_again(boolean isLast) {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);
        worker.complete(turn, part(0, false, task(0, activity, "a")));

        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> worker.complete(turn, part(2, isLast, task(2, activity, "c"))),
                "chunkIndex",
                "expected 1",
                "was 2");

        worker.decide(instance, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
        assertThat(worker.inbox().content()).isEmpty();
    }

    @Test
    void a_part_that_is_repeated_counts_once() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        worker.complete(turn, part(0, false, task(0, activity, "a")));
        worker.complete(turn, part(0, false, task(0, activity, "a")));
        worker.complete(turn, part(1, true, completed(1, "42")));

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
        assertThat(Events.of(client.history(instance), EventTypeCase.TASKSCHEDULED))
                .hasSize(1);
    }

    @Test
    void parts_of_a_turn_that_comes_again_are_forgotten() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);
        worker.complete(turn, part(0, false, task(0, activity, "a")));
        worker.breakStream();
        ScriptedWorker other = worker();

        other.decide(instance, completed(0, "42"));

        client.awaitEnd(instance);
        assertThat(Events.of(client.history(instance), EventTypeCase.TASKSCHEDULED))
                .isEmpty();
        assertRefused(Code.NOT_FOUND, () -> worker.complete(turn, part(1, false, task(1, activity, "b"))), instance);
    }
}
