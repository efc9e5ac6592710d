package io.sluice.durabletask.activity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Value;
import io.sluice.durabletask.history.EventEncoder;
import io.sluice.durabletask.history.EventPlace;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.TurnEvents;
import io.sluice.durabletask.history.TurnIntake;
import io.sluice.durabletask.turn.TurnLimits;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a worker answers to an activity, and the event that the orchestration gets. */
class ActivityCompletionTest {
    private static final Instant NOW = Instant.parse("2026-06-15T08:00:01.000000001Z");
    private static final EventPlace PLACE = new EventPlace("order-7", 1, 2, null, NOW.toEpochMilli());
    private static final int TASK = 4;
    private static final String TOO_LARGE = "x".repeat(TurnLimits.MAX_EVENT_BYTES + 1);

    @Test
    void a_result_reaches_the_orchestration() {
        Protocol.HistoryEvent event = received(response().setResult(Wire.text("[7]")));

        assertThat(event.getTaskCompleted().getTaskScheduledId()).isEqualTo(TASK);
        assertThat(event.getTaskCompleted().getResult().getValue()).isEqualTo("[7]");
        assertThat(Wire.instant(event.getTimestamp())).isEqualTo(NOW);
        assertThat(event.getEventId()).isEqualTo(-1);
    }

    @Test
    void an_activity_without_a_result_has_none() {
        assertThat(received(response()).getTaskCompleted().hasResult()).isFalse();
        assertThat(received(response().setResult(Wire.text("")))
                        .getTaskCompleted()
                        .hasResult())
                .isTrue();
    }

    @Test
    void a_failure_reaches_the_orchestration_with_all_its_details() {
        TaskFailureDetails failure = failure("it went boom").toBuilder()
                .setStackTrace(Wire.text("at line 7"))
                .setInnerFailure(failure("cause"))
                .putProperties("code", Value.newBuilder().setNumberValue(7).build())
                .build();

        Protocol.HistoryEvent event =
                received(response().setResult(Wire.text("ignored")).setFailureDetails(failure));

        assertThat(event.getTaskFailed().getTaskScheduledId()).isEqualTo(TASK);
        assertThat(event.getTaskFailed().getFailureDetails()).isEqualTo(failure);
    }

    @Test
    void a_result_that_has_no_room_fails_the_activity_for_good() {
        TaskFailureDetails failure = received(response().setResult(Wire.text(TOO_LARGE)))
                .getTaskFailed()
                .getFailureDetails();

        assertThat(failure.getErrorType()).isEqualTo("PayloadTooLarge");
        assertThat(failure.getIsNonRetriable()).isTrue();
        assertThat(failure.getErrorMessage())
                .startsWith("the result of the activity: as stored, with escapes, it takes 1500")
                .contains(" bytes, the limit is 1500000; carry less, or store the payload elsewhere");
    }

    @Test
    void quotes_count_as_often_as_they_are_escaped() {
        int quotes = TurnLimits.MAX_EVENT_BYTES / 4;

        assertThat(received(response().setResult(Wire.text("\"".repeat(quotes))))
                        .hasTaskFailed())
                .isTrue();
        assertThat(received(response().setResult(Wire.text("\"".repeat(quotes - 200))))
                        .hasTaskCompleted())
                .isTrue();
    }

    @Test
    void a_failure_that_has_no_room_loses_its_stack_traces_first() {
        TaskFailureDetails failure = failure("it went boom").toBuilder()
                .setStackTrace(Wire.text(TOO_LARGE))
                .setInnerFailure(failure("cause").toBuilder().setStackTrace(Wire.text(TOO_LARGE)))
                .build();

        TaskFailureDetails kept =
                received(response().setFailureDetails(failure)).getTaskFailed().getFailureDetails();

        assertThat(kept.getErrorMessage()).isEqualTo("it went boom");
        assertThat(kept.getStackTrace().getValue()).endsWith("(cut: had 1500001 characters)");
        assertThat(kept.getInnerFailure().getErrorMessage()).isEqualTo("cause");
        assertThat(kept.getInnerFailure().getStackTrace().getValue()).hasSizeLessThan(5_000);
    }

    @Test
    void a_message_that_has_no_room_loses_its_end() {
        TaskFailureDetails kept = received(response().setFailureDetails(failure(TOO_LARGE)))
                .getTaskFailed()
                .getFailureDetails();

        assertThat(kept.getErrorType()).isEqualTo("Boom");
        assertThat(kept.getErrorMessage()).startsWith("xxx").endsWith("(cut: had 1500001 characters)");
    }

    private static ActivityResponse.Builder response() {
        return ActivityResponse.newBuilder().setInstanceId("order-7").setTaskId(TASK);
    }

    private static TaskFailureDetails failure(String message) {
        return TaskFailureDetails.newBuilder()
                .setErrorType("Boom")
                .setErrorMessage(message)
                .build();
    }

    /** What the orchestration that has scheduled the activity gets of the answer, through the store. */
    private static Protocol.HistoryEvent received(ActivityResponse.Builder response) {
        var scheduled = Protocol.HistoryEvent.newBuilder().setEventId(TASK);
        scheduled.getTaskScheduledBuilder().setName("ship").setInput(Wire.text("[7]"));
        WorkItem.ActivityExecute activity = MessageEncoder.activity(PLACE, scheduled.build(), "guid-1", null);
        WorkItem message = ActivityCompletion.of(activity, response.build(), NOW);

        WorkItem stored = WorkItemJson.decode(WorkItemJson.encode(message));
        HistoryEvent event = EventEncoder.encode(scheduled.build()).at(PLACE);
        OrchestrationItem item =
                new OrchestrationItem("order-7", "Order", 1, "", List.of(event), List.of(stored), null, Map.of());
        TurnIntake intake = TurnEvents.of(item, NOW, () -> "guid-2");
        assertThat(intake).isInstanceOf(TurnIntake.Open.class);
        return ((TurnIntake.Open) intake).events().get(0).event();
    }
}
