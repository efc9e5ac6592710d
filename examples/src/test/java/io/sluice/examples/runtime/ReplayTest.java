package io.sluice.examples.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplayTest {
    @Test
    void the_first_turn_records_the_start_and_sends_the_activity_out() {
        Simulation run =
                simulation((context, input) -> context.activity("upper", input).await());

        run.start("i", "main", "hi").turn();

        TurnAck ack = run.lastAck();
        assertThat(run.types("i")).containsExactly("OrchestrationStarted", "ActivityScheduled");
        assertThat(ack.workerItems())
                .containsExactly(new WorkItem.ActivityExecute("i", 1, 2, "upper", "hi", null, null));
        assertThat(ack.metadata().orchestrationName()).isEqualTo("main");
        assertThat(ack.metadata().pinnedDuroxideVersion()).hasToString("0.1.32");
        assertThat(ack.metadata().status()).isNull();
    }

    @Test
    void a_result_is_linked_to_what_it_answers_and_ends_the_instance() {
        Simulation run =
                simulation((context, input) -> context.activity("upper", input).await());

        run.start("i", "main", "hi").runToEnd();

        List<HistoryEvent> history = run.history("i");
        assertThat(history).extracting(HistoryEvent::eventId).containsExactly(1L, 2L, 3L, 4L);
        assertThat(history.get(2).sourceEventId()).isEqualTo(2L);
        assertThat(history.get(2).kind()).isEqualTo(new EventKind.ActivityCompleted("HI"));
        assertThat(history.get(3).kind()).isEqualTo(new EventKind.OrchestrationCompleted("HI"));
        assertThat(run.lastAck().metadata().status()).isEqualTo("Completed");
        assertThat(run.lastAck().metadata().output()).isEqualTo("HI");
        assertThat(run.lastAck().metadata().orchestrationName())
                .as("only the first turn names the code")
                .isNull();
    }

    @Test
    void replayed_code_schedules_every_step_once_however_often_it_runs() {
        AtomicInteger runs = new AtomicInteger();
        Simulation run = simulation((context, input) -> {
            runs.incrementAndGet();
            Step left = context.activity("upper", "a");
            Step right = context.activity("upper", "b");
            context.timer(Duration.ofSeconds(1)).await();
            return left.await() + right.await() + context.activity("upper", "c").await();
        });

        run.start("i", "main", "").runToEnd();

        assertThat(runs.get()).isGreaterThan(3);
        assertThat(run.types("i")).filteredOn("ActivityScheduled"::equals).hasSize(3);
        assertThat(run.types("i")).filteredOn("TimerCreated"::equals).hasSize(1);
        assertThat(run.ending("i")).isEqualTo(new EventKind.OrchestrationCompleted("ABC"));
        assertThat(run.elapsed()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_second_copy_of_a_completion_changes_nothing() {
        Simulation run = simulation((context, input) -> {
            String first = context.activity("upper", "a").await();
            context.externalEvent("go").await();
            return first;
        });
        run.start("i", "main", "").runVisible();

        run.provider().enqueueForOrchestrator(new WorkItem.ActivityCompleted("i", 1, 2, "OTHER"), null);
        run.runVisible();

        assertThat(run.types("i")).filteredOn("ActivityCompleted"::equals).hasSize(1);
    }

    @Test
    void code_that_no_longer_fits_its_history_fails_as_nondeterministic() {
        AtomicInteger runs = new AtomicInteger();
        Simulation run =
                simulation((context, input) -> context.activity(runs.getAndIncrement() == 0 ? "upper" : "fail", input)
                        .await());

        run.start("i", "main", "hi").runToEnd();

        assertThat(run.ending("i"))
                .isInstanceOfSatisfying(
                        EventKind.OrchestrationFailed.class,
                        failed -> assertThat(failed.details())
                                .isInstanceOfSatisfying(ErrorDetails.Configuration.class, details -> {
                                    assertThat(details.resource()).isEqualTo("activity fail");
                                    assertThat(details.message()).contains("event 2");
                                }));
    }

    @Test
    void code_that_forgets_a_step_of_its_history_fails_as_nondeterministic() {
        AtomicInteger runs = new AtomicInteger();
        Simulation run = simulation((context, input) ->
                runs.getAndIncrement() == 0 ? context.activity("upper", input).await() : "done");

        run.start("i", "main", "hi").runToEnd();

        assertThat(run.ending("i")).isInstanceOf(EventKind.OrchestrationFailed.class);
    }

    @Test
    void a_failed_activity_is_an_exception_that_says_whether_to_try_again() {
        Simulation run = simulation((context, input) -> {
            try {
                return context.activity("fail", "again").await();
            } catch (StepFailedException e) {
                return e.getMessage() + " " + e.retryable();
            }
        });

        run.start("i", "main", "").runToEnd();

        assertThat(run.ending("i")).isEqualTo(new EventKind.OrchestrationCompleted("no again true"));
    }

    @Test
    void a_sub_orchestration_runs_as_an_instance_of_its_own_and_tells_its_parent() {
        Simulation run = new Simulation(activities()
                .orchestration(
                        "main",
                        (context, input) ->
                                context.subOrchestration("child", input).await())
                .orchestration(
                        "child",
                        (context, input) -> context.activity("upper", input).await()));

        run.start("p", "main", "hi").runToEnd();

        HistoryEvent childStart = run.history("p::sub::2").get(0);
        assertThat(run.history("p").get(1).kind())
                .isEqualTo(new EventKind.SubOrchestrationScheduled("child", "p::sub::2", "hi"));
        assertThat(childStart.kind())
                .isEqualTo(new EventKind.OrchestrationStarted("child", "1.0.0", "hi", "p", 2L, 1L, null, null));
        assertThat(run.history("p").get(2).sourceEventId()).isEqualTo(2L);
        assertThat(run.ending("p")).isEqualTo(new EventKind.OrchestrationCompleted("HI"));
    }

    @Test
    void a_failed_sub_orchestration_fails_its_parent_with_its_own_words() {
        Simulation run = new Simulation(activities()
                .orchestration(
                        "main",
                        (context, input) ->
                                context.subOrchestration("child", input).await())
                .orchestration("child", (context, input) -> {
                    throw new OrchestrationFailedException("out of boxes");
                }));

        run.start("p", "main", "").runToEnd();

        assertThat(run.types("p")).contains("SubOrchestrationFailed");
        assertThat(run.lastAck().metadata().status()).isEqualTo("Failed");
        assertThat(run.lastAck().metadata().output()).isEqualTo("out of boxes");
    }

    @Test
    void external_events_answer_subscriptions_in_order_even_when_they_come_first() {
        Simulation run = simulation((context, input) -> {
            context.timer(Duration.ofSeconds(1)).await();
            return context.externalEvent("e").await()
                    + context.externalEvent("e").await();
        });
        run.start("i", "main", "").raise("i", "e", "1").runToEnd();

        run.raise("i", "e", "2").runToEnd();

        assertThat(run.ending("i")).isEqualTo(new EventKind.OrchestrationCompleted("12"));
        assertThat(run.history("i").stream()
                        .filter(event -> event.kind() instanceof EventKind.ExternalEvent)
                        .map(HistoryEvent::sourceEventId))
                .as("the second event found its subscription waiting")
                .containsExactly(null, 6L);
    }

    @Test
    void cancelling_calls_the_awaited_step_off_and_lets_the_code_put_things_right() {
        Simulation run = simulation((context, input) -> {
            try {
                return context.externalEvent("never").await();
            } catch (OrchestrationCancelledException e) {
                context.activity("upper", "undo").await();
                throw e;
            }
        });
        run.start("i", "main", "").runVisible();

        run.cancel("i", "changed my mind").cancel("i", "twice").runToEnd();

        assertThat(run.types("i"))
                .containsExactly(
                        "OrchestrationStarted",
                        "ExternalSubscribed",
                        "OrchestrationCancelRequested",
                        "ExternalSubscribedCancelled",
                        "ActivityScheduled",
                        "ActivityCompleted",
                        "OrchestrationFailed");
        assertThat(run.ending("i"))
                .isEqualTo(new EventKind.OrchestrationFailed(new ErrorDetails.Application(
                        new ErrorDetails.ApplicationKind.Cancelled("changed my mind"), "canceled", false)));
    }

    @Test
    void cancelling_stops_an_activity_that_nobody_has_taken_yet() {
        Simulation run =
                simulation((context, input) -> context.activity("upper", "a").await());
        run.start("i", "main", "").turn();

        run.cancel("i", "stop").turn();

        assertThat(run.lastAck().cancelledActivities()).containsExactly(new ScheduledActivityIdentifier("i", 1, 2));
        assertThat(run.activity().provider().completions).isEmpty();
    }

    @Test
    void cancelling_a_parent_cancels_the_child_it_waits_for() {
        Simulation run = new Simulation(activities()
                .orchestration(
                        "main",
                        (context, input) ->
                                context.subOrchestration("child", input).await())
                .orchestration(
                        "child",
                        (context, input) -> context.externalEvent("never").await()));
        run.start("p", "main", "").runVisible();

        run.cancel("p", "stop").runToEnd();

        assertThat(run.types("p")).contains("SubOrchestrationCancelRequested");
        assertThat(run.types("p::sub::2"))
                .contains("OrchestrationCancelRequested")
                .endsWith("OrchestrationFailed");
    }

    @Test
    void steps_nobody_waited_for_are_called_off_when_the_instance_ends() {
        Simulation run = simulation((context, input) -> {
            Step ignored = context.activity("upper", "a");
            Step alsoIgnored = context.externalEvent("e");
            return "done" + ignored.equals(alsoIgnored);
        });

        run.start("i", "main", "").runToEnd();

        assertThat(run.types("i"))
                .containsExactly(
                        "OrchestrationStarted",
                        "ActivityScheduled",
                        "ExternalSubscribed",
                        "ActivityCancelRequested",
                        "ExternalSubscribedCancelled",
                        "OrchestrationCompleted");
    }

    @Test
    void messages_to_an_instance_at_its_end_are_consumed_without_a_trace() {
        Simulation run = simulation((context, input) -> "done");
        run.start("i", "main", "").runToEnd();

        run.raise("i", "late", "")
                .cancel("i", "late")
                .start("i", "main", "again")
                .runToEnd();

        assertThat(run.types("i")).containsExactly("OrchestrationStarted", "OrchestrationCompleted");
        assertThat(run.lastAck().historyDelta()).isEmpty();
    }

    private static Simulation simulation(Orchestration main) {
        return new Simulation(activities().orchestration("main", main));
    }

    private static Registry activities() {
        return new Registry()
                .activity("upper", task -> task.input().toUpperCase(Locale.ROOT))
                .activity("fail", task -> {
                    throw new ActivityFailedException(
                            "no " + task.input(), task.input().equals("again"));
                });
    }
}
