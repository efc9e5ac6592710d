package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.sluice.durabletask.wire.Protocol.AbandonActivityTaskRequest;
import io.sluice.durabletask.wire.Protocol.AbandonOrchestrationTaskRequest;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of workers: once, late, repeated, without a token, with a wrong one. */
class CompletionsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String activity = unique("Ship");

    private ScriptedWorker worker() {
        return host.worker().takes(name).takesActivity(activity).connect();
    }

    private static String token(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String plain(String token) {
        return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
    }

    private WorkItem activityOf(ScriptedWorker worker, String instance) {
        worker.decide(instance, task(0, activity, "in"));
        return worker.activity(instance);
    }

    @Test
    void a_repeated_answer_to_a_turn_is_good_and_counts_once() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        worker.complete(turn, task(0, activity, "in"));
        worker.complete(turn, task(0, activity, "in"));

        worker.complete(worker.activity(instance), "out");
        WorkItem next = worker.turn(instance);
        assertThat(Events.of(next.getOrchestratorRequest().getPastEventsList(), EventTypeCase.TASKSCHEDULED))
                .hasSize(1);
        worker.complete(next, completed(1, "42"));
        worker.complete(turn, task(0, activity, "in"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
        assertThat(worker.inbox().content()).isEmpty();
    }

    @Test
    void of_twenty_equal_answers_at_the_same_time_all_are_good_and_one_counts() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        Concurrently.Outcomes outcomes =
                Concurrently.run(20, i -> worker.complete(turn, task(0, activity, "in"), completed(1, "42")));

        assertThat(outcomes.codes()).isEmpty();
        assertThat(Events.of(client.history(instance), EventTypeCase.TASKSCHEDULED))
                .hasSize(1);
    }

    @Test
    void a_repeated_result_of_an_activity_is_good_and_counts_once() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem item = activityOf(worker, instance);

        Concurrently.Outcomes outcomes = Concurrently.run(10, i -> worker.complete(item, "out"));
        worker.complete(item, "out");

        assertThat(outcomes.codes()).isEmpty();
        worker.decide(instance, completed(1, "42"));
        client.awaitEnd(instance);
        assertThat(Events.of(client.history(instance), EventTypeCase.TASKCOMPLETED))
                .hasSize(1);
    }

    @Test
    void what_a_worker_answers_whose_stream_has_ended_is_refused() {
        ScriptedWorker first = worker();
        String instance = client.start(name, "1");
        WorkItem turn = first.turn(instance);
        first.breakStream();
        ScriptedWorker second = worker();
        WorkItem again = second.turn(instance);

        assertRefused(Code.NOT_FOUND, () -> first.complete(turn, completed(0, "late")), instance, "stream has ended");

        second.complete(again, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void old_workers_answer_turns_without_a_token() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.turn(instance);

        var unused = worker.stub()
                .completeOrchestratorTask(answer(completed(0, "42")).toBuilder()
                        .setInstanceId(instance)
                        .build());

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void old_workers_answer_activities_without_a_token() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, activity, "a"), task(1, activity, "b"));
        worker.activity(instance);
        worker.activity(instance);
        ActivityResponse.Builder response = ActivityResponse.newBuilder()
                .setInstanceId(instance)
                .setTaskId(1)
                .setResult(Wire.text("of b"));

        var unused = worker.stub().completeActivityTask(response.build());

        var result =
                Events.only(worker.turn(instance), EventTypeCase.TASKCOMPLETED).getTaskCompleted();
        assertThat(result.getTaskScheduledId()).isEqualTo(1);
        assertThat(result.getResult()).isEqualTo(Wire.text("of b"));
    }

    @Test
    void old_workers_are_told_of_no_error_for_it_would_end_their_stream() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        worker.turn(instance);

        var unknown = worker.stub()
                .completeOrchestratorTask(
                        answer().toBuilder().setInstanceId(unique("nobody")).build());
        var unknownToo = worker.stub()
                .completeActivityTask(ActivityResponse.newBuilder()
                        .setInstanceId(instance)
                        .setTaskId(5)
                        .build());
        var refused = worker.stub()
                .completeOrchestratorTask(answer(completed(0, "1"), completed(1, "2")).toBuilder()
                        .setInstanceId(instance)
                        .build());

        assertThat(unknown).isNotNull();
        assertThat(unknownToo).isNotNull();
        assertThat(refused).isNotNull();
        worker.decide(instance, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"garbage!", "WzEsMiwzLDQsNSw2LDdd"})
    void a_token_that_no_host_has_written_is_refused(String token) {
        ScriptedWorker worker = worker();

        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> worker.stub()
                        .completeOrchestratorTask(
                                answer().toBuilder().setCompletionToken(token).build()),
                "completionToken");
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> worker.stub()
                        .completeActivityTask(ActivityResponse.newBuilder()
                                .setCompletionToken(token)
                                .build()),
                "completionToken");
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> worker.stub()
                        .abandonTaskOrchestratorWorkItem(AbandonOrchestrationTaskRequest.newBuilder()
                                .setCompletionToken(token)
                                .build()),
                "completionToken");
        assertRefused(
                Code.INVALID_ARGUMENT,
                () -> worker.stub()
                        .abandonTaskActivityWorkItem(AbandonActivityTaskRequest.newBuilder()
                                .setCompletionToken(token)
                                .build()),
                "completionToken");
    }

    @Test
    void the_token_of_one_kind_does_not_answer_the_other() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem item = activityOf(worker, instance);
        client.raise(instance, "go", "1");
        WorkItem turn = worker.turn(instance);

        assertRefused(Code.INVALID_ARGUMENT, () -> worker.complete(item, answer()), "completionToken", "turn");
        assertRefused(Code.INVALID_ARGUMENT, () -> worker.complete(turn, "out"), "completionToken", "activity");

        worker.complete(turn, completed(1, "42"));
        worker.complete(item, "out");
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void a_forged_token_of_an_activity_changes_nothing() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem item = activityOf(worker, instance);
        String json = plain(item.getCompletionToken());

        assertRefused(
                Code.ABORTED,
                () -> worker.stub()
                        .completeActivityTask(ActivityResponse.newBuilder()
                                .setCompletionToken(
                                        token("[\"elsewhere\",\"ACTIVITY\",\"no lock\",\"" + instance + "\",1,2,0]"))
                                .setResult(Wire.text("forged"))
                                .build()));
        assertRefused(
                Code.NOT_FOUND,
                () -> worker.stub()
                        .completeActivityTask(ActivityResponse.newBuilder()
                                .setCompletionToken(token(json.replace(instance, "another")))
                                .setResult(Wire.text("forged"))
                                .build()));

        worker.complete(item, "out");
        var result =
                Events.only(worker.turn(instance), EventTypeCase.TASKCOMPLETED).getTaskCompleted();
        assertThat(result.getResult()).isEqualTo(Wire.text("out"));
    }

    @Test
    void a_token_that_was_changed_to_name_other_work_reaches_none() {
        ScriptedWorker worker = worker();
        String victim = client.start(name, "1");
        WorkItem wanted = activityOf(worker, victim);
        String instance = client.start(name, "1");
        WorkItem item = activityOf(worker, instance);
        // As if another host had dispatched it: what is in this host's own hands it knows by the whole token.
        String foreign = "[\"elsewhere\"" + plain(item.getCompletionToken()).replaceFirst("^\\[\"[^\"]*\"", "");

        for (String json : List.of(
                foreign.replace('"' + instance + '"', '"' + victim + '"'),
                foreign.replaceFirst(",1,(\\d+),0\\]$", ",2,$1,0]"),
                foreign.replaceFirst(",1,(\\d+),0\\]$", ",1,99,0]"))) {
            assertThat(json).isNotEqualTo(foreign);
            assertRefused(
                    Code.ABORTED,
                    () -> worker.stub()
                            .completeActivityTask(ActivityResponse.newBuilder()
                                    .setCompletionToken(token(json))
                                    .setResult(Wire.text("forged"))
                                    .build()),
                    "the lock is not on activity");
        }

        worker.complete(wanted, "in");
        worker.complete(item, "out");
        var ofVictim = Events.only(worker.turn(victim), EventTypeCase.TASKCOMPLETED);
        assertThat(ofVictim.getTaskCompleted().getResult()).isEqualTo(Wire.text("in"));
        var ofInstance = Events.only(worker.turn(instance), EventTypeCase.TASKCOMPLETED);
        assertThat(ofInstance.getTaskCompleted().getResult()).isEqualTo(Wire.text("out"));
    }

    @Test
    void the_token_of_an_unknown_lock_of_this_host_is_not_found() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);
        String json = plain(turn.getCompletionToken());
        String lock = json.split(",", -1)[2];

        assertRefused(
                Code.NOT_FOUND,
                () -> worker.stub()
                        .completeOrchestratorTask(answer().toBuilder()
                                .setCompletionToken(token(json.replace(lock, "\"another\"")))
                                .build()),
                instance);
        worker.complete(turn, completed(0, "42"));
    }

    @Test
    void a_worker_without_the_history_gets_the_turn_again_and_the_first_answer_has_not_counted() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        worker.complete(
                turn, OrchestratorResponse.newBuilder().setRequiresHistory(true).build());

        WorkItem again = worker.turn(instance);
        assertThat(Events.newKinds(again)).isEqualTo(Events.newKinds(turn));
        assertRefused(Code.NOT_FOUND, () -> worker.complete(turn, completed(0, "41")), instance);
        worker.complete(again, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void an_abandoned_turn_comes_again() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);
        AbandonOrchestrationTaskRequest abandon = AbandonOrchestrationTaskRequest.newBuilder()
                .setCompletionToken(turn.getCompletionToken())
                .build();

        var unused = worker.stub().abandonTaskOrchestratorWorkItem(abandon);

        WorkItem again = worker.turn(instance);
        assertRefused(Code.NOT_FOUND, () -> worker.stub().abandonTaskOrchestratorWorkItem(abandon), instance);
        assertRefused(Code.NOT_FOUND, () -> worker.complete(turn, completed(0, "41")), instance);
        worker.complete(again, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void an_abandoned_activity_comes_again() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem item = activityOf(worker, instance);
        AbandonActivityTaskRequest abandon = AbandonActivityTaskRequest.newBuilder()
                .setCompletionToken(item.getCompletionToken())
                .build();

        var unused = worker.stub().abandonTaskActivityWorkItem(abandon);

        WorkItem again = worker.activity(instance);
        assertThat(again.getActivityRequest()).isEqualTo(item.getActivityRequest());
        assertRefused(Code.NOT_FOUND, () -> worker.stub().abandonTaskActivityWorkItem(abandon), instance);
        assertRefused(Code.NOT_FOUND, () -> worker.complete(item, "late"), instance);
        worker.complete(again, "out");
        assertThat(Events.newKinds(worker.turn(instance))).contains(EventTypeCase.TASKCOMPLETED);
    }

    @Test
    void an_activity_of_an_ended_instance_is_answered_in_vain_which_is_no_error() {
        ScriptedWorker worker = worker();
        String instance = client.start(name, "1");
        WorkItem item = activityOf(worker, instance);
        client.raise(instance, "go", "1");
        worker.decide(instance, completed(1, "42"));
        client.awaitEnd(instance);

        worker.complete(item, "late");

        assertThat(Events.of(client.history(instance), EventTypeCase.TASKCOMPLETED))
                .isEmpty();
    }
}
