package io.sluice.durabletask.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.StringValue;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import io.sluice.testkit.seed.Tier;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored of an event is the event, and each of its payloads is stored once. */
class EventRoundTripTest {
    private static final ReplayedIds NO_IDS = ReplayedIds.of(List.of());
    private static final EventPlace PLACE = new EventPlace("order-7", 3, 12, 4L, 1_781_510_400_000L);
    private static final int EVENTS_PER_SEED = 500;

    static Stream<EventTypeCase> kinds() {
        return RandomEvents.storedKinds().stream();
    }

    static LongStream seeds() {
        return LongStream.range(0, Tier.times(4, 20));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void an_event_without_any_field_is_kept(EventTypeCase kind) {
        FieldDescriptor field = Protocol.HistoryEvent.getDescriptor().findFieldByNumber(kind.getNumber());
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.setField(field, event.newBuilderForField(field).build());

        assertThat(storedAndRead(event.build())).isEqualTo(event.build());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void empty_strings_stay_empty_and_do_not_become_absent(EventTypeCase kind) {
        FieldDescriptor field = Protocol.HistoryEvent.getDescriptor().findFieldByNumber(kind.getNumber());
        var event = Protocol.HistoryEvent.newBuilder().setEventId(0);
        Message.Builder body = event.newBuilderForField(field);
        body.getDescriptorForType().getFields().stream()
                .filter(EventRoundTripTest::isOptionalString)
                .forEach(text -> body.setField(text, StringValue.of("")));
        event.setField(field, body.build());

        assertThat(storedAndRead(event.build())).isEqualTo(event.build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"dt:suspended", "dt:raised:", "dt:raised:dt:resumed", "dt:"})
    void an_event_raised_under_a_name_of_the_hosts_is_kept_and_told_from_the_hosts(String name) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getEventRaisedBuilder().setName(name).setInput(StringValue.of("1"));

        assertThat(EventEncoder.encode(event.build()).kind())
                .isEqualTo(new EventKind.ExternalEvent("dt:raised:" + name, "1"));
        assertThat(storedAndRead(event.build())).isEqualTo(event.build());
    }

    private static boolean isOptionalString(FieldDescriptor field) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && !field.isRepeated()
                && field.getMessageType().equals(StringValue.getDescriptor());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatever_an_event_holds_is_kept(long seed) {
        var events = new RandomEvents(seed);

        for (int i = 0; i < EVENTS_PER_SEED; i++) {
            Protocol.HistoryEvent event = events.any();
            assertThat(storedAndRead(event)).as("event %d of seed %d", i, seed).isEqualTo(event);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatever_a_message_brings_is_kept(long seed) {
        var events = new RandomEvents(seed);
        var random = new SplittableRandom(seed);

        for (int i = 0; i < EVENTS_PER_SEED; i++) {
            Protocol.HistoryEvent event = events.any();
            Optional<WorkItem> message = messageOf(event, random.nextBoolean());
            if (message.isPresent()) {
                WorkItem read = WorkItemJson.decode(WorkItemJson.encode(message.get()));
                Instant turnStart = Instant.ofEpochSecond(random.nextLong(1L << 33));
                Protocol.HistoryEvent expected = event.hasTimestamp()
                        ? event
                        : event.toBuilder()
                                .setTimestamp(Wire.timestamp(turnStart))
                                .build();
                assertThat(new MessageDecoder(NO_IDS, turnStart).event(read))
                        .as("event %d of seed %d", i, seed)
                        .contains(expected);
            }
        }
    }

    /** By the kind of event; empty for what no message brings. */
    private static Optional<WorkItem> messageOf(Protocol.HistoryEvent event, boolean isRoot) {
        ParentLink parent = new ParentLink("parent", 2, 5);
        return switch (event.getEventTypeCase()) {
            case EXECUTIONSTARTED ->
                Optional.of(
                        isRoot
                                ? MessageEncoder.start("order-7", event, null)
                                : MessageEncoder.continueAsNew("order-7", event, parent, List.of(), "half"));
            case TASKCOMPLETED, TASKFAILED ->
                Optional.of(MessageEncoder.activityEnded(
                        new WorkItem.ActivityExecute("order-7", 3, 12, "ship", "", null, null), event));
            case SUBORCHESTRATIONINSTANCECOMPLETED, SUBORCHESTRATIONINSTANCEFAILED ->
                Optional.of(MessageEncoder.childEnded(parent, "guid-1", event));
            case TIMERFIRED -> Optional.of(MessageEncoder.timer(PLACE, event));
            default ->
                MessageEncoder.isExternal(event)
                        ? Optional.of(MessageEncoder.external("order-7", event))
                        : Optional.empty();
        };
    }

    @Test
    void a_payload_is_stored_once() {
        String payload = "payload-".repeat(20);
        var scheduled = Protocol.HistoryEvent.newBuilder().setEventId(1);
        scheduled.getTaskScheduledBuilder().setName("ship").setInput(StringValue.of(payload));

        HistoryEvent stored = EventEncoder.encode(scheduled.build()).at(PLACE);

        assertThat(HistoryJson.encode(stored)).containsOnlyOnce(payload);
        assertThat(EventEncoder.encode(scheduled.build()).fields().rest().toStringUtf8())
                .as("the rest, which base64 would hide")
                .doesNotContain(payload);
    }

    @ParameterizedTest
    @EnumSource(
            value = OrchestrationStatus.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNRECOGNIZED"})
    void an_end_is_kept_whatever_its_status(OrchestrationStatus status) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(9);
        event.getExecutionCompletedBuilder()
                .setOrchestrationStatus(status)
                .setResult(StringValue.of("result"))
                .getFailureDetailsBuilder()
                .setErrorType("Boom")
                .setErrorMessage("it went boom");

        assertThat(storedAndRead(event.build())).isEqualTo(event.build());
    }

    @Test
    void an_end_of_a_status_that_nobody_knows_is_kept() {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(9);
        event.getExecutionCompletedBuilder().setOrchestrationStatusValue(77).setResult(StringValue.of("r"));

        assertThat(storedAndRead(event.build())).isEqualTo(event.build());
    }

    @Test
    void what_is_derived_is_not_stored() {
        Protocol.HistoryEvent start = EventDecoder.turnStart(Instant.EPOCH);

        assertThat(EventEncoder.isStored(start)).isFalse();
        assertThatThrownBy(() -> EventEncoder.encode(start))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ORCHESTRATORSTARTED");
    }

    private static Protocol.HistoryEvent storedAndRead(Protocol.HistoryEvent event) {
        HistoryEvent stored = EventEncoder.encode(event).at(PLACE);
        return EventDecoder.decode(HistoryJson.decode(HistoryJson.encode(stored)), NO_IDS)
                .orElseThrow();
    }
}
