package io.sluice.durabletask.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayedIdsTest {
    private static final List<HistoryEvent> HISTORY = List.of(
            event(1, new EventKind.OrchestrationStarted("Order", "", "", null, null, null, null, null), -1),
            event(2, new EventKind.ActivityScheduled("ship", "", null, "ship"), 40),
            event(3, new EventKind.SubOrchestrationScheduled("Bill", "bill-7", ""), 41),
            event(5, new EventKind.SubOrchestrationScheduled("Pack", "pack-7", ""), 42),
            event(7, new EventKind.SubOrchestrationCompleted("done"), -1).withSourceEventId(3));

    private final ReplayedIds ids = ReplayedIds.of(HISTORY);

    @Test
    void an_action_and_its_event_are_found_by_each_other() {
        assertThat(ids.actionId(3L)).isEqualTo(41);
        assertThat(ids.eventId(41)).hasValue(3);
    }

    @Test
    void what_is_not_there_has_no_id() {
        assertThat(ids.actionId(null)).isEqualTo(-1);
        assertThat(ids.actionId(7L)).as("it records no action").isEqualTo(-1);
        assertThat(ids.eventId(-1)).isEmpty();
        assertThat(ids.eventId(99)).isEmpty();
    }

    @Test
    void events_are_numbered_on_from_the_last() {
        assertThat(ids.nextEventId()).isEqualTo(8);
        assertThat(ReplayedIds.of(List.of()).nextEventId()).isEqualTo(1);
    }

    @Test
    void open_is_what_nothing_has_completed() {
        assertThat(ids.openChildren()).containsExactly("pack-7");
        assertThat(ids.isAwaited(2, EventKind.ActivityScheduled.class)).isTrue();
        assertThat(ids.isAwaited(3, EventKind.SubOrchestrationScheduled.class)).isFalse();
        assertThat(ids.isAwaited(5, EventKind.ActivityScheduled.class)).isFalse();
    }

    private static HistoryEvent event(long eventId, EventKind kind, int action) {
        return new EncodedEvent(kind, DtFields.of(action, List.of(), ByteString.EMPTY))
                .at(new EventPlace("order-7", 1, eventId, null, 0));
    }
}
