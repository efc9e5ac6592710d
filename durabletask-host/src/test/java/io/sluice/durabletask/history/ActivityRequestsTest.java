package io.sluice.durabletask.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import org.junit.jupiter.api.Test;

class ActivityRequestsTest {
    private static final EventPlace PLACE = new EventPlace("order-7", 3, 12, null, 0);

    @Test
    void a_worker_gets_all_that_the_orchestration_has_said() {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(5);
        event.getTaskScheduledBuilder()
                .setName("ship")
                .setVersion(Wire.text("2"))
                .setInput(Wire.text("[7]"))
                .putTags("tenant", "a")
                .getParentTraceContextBuilder()
                .setTraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");

        Protocol.ActivityRequest request = requestOf(event.build());

        var expected = Protocol.ActivityRequest.newBuilder()
                .setName("ship")
                .setVersion(Wire.text("2"))
                .setInput(Wire.text("[7]"))
                .putTags("tenant", "a")
                .setTaskId(5)
                .setParentTraceContext(event.getTaskScheduled().getParentTraceContext());
        expected.getOrchestrationInstanceBuilder().setInstanceId("order-7").setExecutionId(Wire.text("guid-1"));
        assertThat(request).isEqualTo(expected.build());
    }

    @Test
    void what_is_absent_stays_absent() {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(5);
        event.getTaskScheduledBuilder().setName("ship");

        Protocol.ActivityRequest request = requestOf(event.build());

        assertThat(request.hasInput()).isFalse();
        assertThat(request.hasVersion()).isFalse();
        assertThat(request.hasParentTraceContext()).isFalse();
    }

    @Test
    void an_activity_that_no_host_has_queued_is_named() {
        var activity = new WorkItem.ActivityExecute("order-7", 3, 12, "ship", "[7]", null, null);

        assertThatThrownBy(() -> ActivityRequests.of(activity))
                .isInstanceOf(HistoryFormatException.class)
                .hasMessage("instance 'order-7', execution 3, activity 12: dt: expected, for a host has queued it");
    }

    private static Protocol.ActivityRequest requestOf(Protocol.HistoryEvent scheduled) {
        WorkItem queued = MessageEncoder.activity(PLACE, scheduled, "guid-1", "2.0");
        return ActivityRequests.of((WorkItem.ActivityExecute) WorkItemJson.decode(WorkItemJson.encode(queued)));
    }
}
