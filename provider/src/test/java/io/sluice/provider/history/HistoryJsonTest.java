package io.sluice.provider.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.provider.json.VariantTable;
import io.sluice.provider.json.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HistoryJsonTest {
    private static final VariantTable<EventKind> KINDS = new VariantTable<>(EventKind.class);
    private static final String TIMER = """
            {"event_id":2,"source_event_id":null,"instance_id":"i","execution_id":1,"timestamp_ms":5,\
            "duroxide_version":"0.1.0","type":"TimerCreated","fire_at_ms":7}""";

    static Stream<Vector> events() {
        return Vector.all("events.json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("events")
    void what_rust_wrote_is_written_again_byte_for_byte(Vector vector) {
        HistoryEvent event = HistoryJson.decode(vector.text("rust_string"));

        assertThat(HistoryJson.encode(event)).isEqualTo(vector.text("rust_string"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("events")
    void order_and_spelling_of_the_text_do_not_matter_for_reading(Vector vector) {
        HistoryEvent sorted = HistoryJson.decode(vector.value("json").toPrettyString());

        assertThat(sorted).isEqualTo(HistoryJson.decode(vector.text("rust_string")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("events")
    void a_written_event_reads_as_the_same_event(Vector vector) {
        HistoryEvent event = HistoryJson.decode(vector.text("rust_string"));

        assertThat(HistoryJson.decode(HistoryJson.encode(event))).isEqualTo(event);
        assertThat(event.extras()).isEqualTo(ExtraFields.NONE);
    }

    @Test
    void every_kind_is_known_under_its_own_name() {
        assertThat(KINDS.names())
                .isEqualTo(Arrays.stream(EventKind.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .collect(Collectors.toSet()));
    }

    @Test
    void every_kind_has_a_vector() {
        var kindsSeen = events().map(
                        vector -> HistoryJson.decode(vector.text("rust_string")).type())
                .collect(Collectors.toSet());

        assertThat(kindsSeen).isEqualTo(KINDS.names());
    }

    @Nested
    class Made_by_a_runtime {
        @Test
        void an_event_needs_no_more_than_its_content() {
            HistoryEvent event = HistoryEvent.of(
                            3, "order-7", 1, 1_740_000_000_000L, "0.1.32", new EventKind.ActivityCompleted("ok"))
                    .withSourceEventId(2);

            assertThat(HistoryJson.encode(event))
                    .isEqualTo("{\"event_id\":3,\"source_event_id\":2,\"instance_id\":\"order-7\",\"execution_id\":1,"
                            + "\"timestamp_ms\":1740000000000,\"duroxide_version\":\"0.1.32\","
                            + "\"type\":\"ActivityCompleted\",\"result\":\"ok\"}");
        }

        @Test
        void numbers_are_not_negative() {
            var cleared = new EventKind.KeyValuesCleared();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> HistoryEvent.of(-1, "i", 1, 0, "0.1.32", cleared))
                    .withMessage("eventId must not be negative, was -1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            HistoryEvent.of(1, "i", 1, 0, "0.1.32", cleared).withSourceEventId(-2))
                    .withMessage("sourceEventId must not be negative, was -2");
        }

        @Test
        void half_a_surrogate_pair_is_refused_wherever_it_stands() {
            var lone = "broken \ud83d";

            var inId = HistoryEvent.of(1, lone, 1, 0, "0.1.32", new EventKind.KeyValuesCleared());
            var inKind = HistoryEvent.of(1, "i", 1, 0, "0.1.32", new EventKind.KeyValueCleared(lone));
            var inPair = HistoryEvent.of(1, "i", 1, 0, "0.1.32", startedWith(new CarriedEvent("name", lone)));

            for (HistoryEvent event : List.of(inId, inKind, inPair)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> HistoryJson.encode(event))
                        .withMessageContaining("half a surrogate pair at character 7");
            }
        }

        @Test
        void carried_events_are_copied() {
            var carried = new ArrayList<>(List.of(new CarriedEvent("a", "b")));
            var started = new EventKind.OrchestrationStarted("n", "1", "", null, null, null, carried, null);

            carried.clear();

            assertThat(started.carryForwardEvents()).hasSize(1);
        }

        private EventKind.OrchestrationStarted startedWith(CarriedEvent carried) {
            return new EventKind.OrchestrationStarted("n", "1", "", null, null, null, List.of(carried), null);
        }
    }

    @Nested
    class Fields_of_a_newer_runtime {
        @Test
        void survive_reading_and_writing_behind_the_known_ones() {
            var json = TIMER.replace("\"type\"", "\"zone\":{\"name\":\"\\u00e9\", \"at\":[1.50,-0,1e400]},\"type\"");

            HistoryEvent event = HistoryJson.decode(json);

            assertThat(event.extras().jsonByName()).containsOnlyKeys("zone");
            assertThat(HistoryJson.encode(event))
                    .isEqualTo(TIMER.replace(
                            "\"fire_at_ms\":7", "\"fire_at_ms\":7,\"zone\":{\"name\":\"é\",\"at\":[1.50,-0,1e400]}"));
            assertThat(HistoryJson.decode(HistoryJson.encode(event))).isEqualTo(event);
        }

        @Test
        void are_those_that_the_kind_does_not_know_though_another_does() {
            HistoryEvent event = HistoryJson.decode(TIMER.replace("}", ",\"tag\":null}"));

            assertThat(event.extras().jsonByName()).isEqualTo(Map.of("tag", "null"));
        }

        @Test
        void may_not_stand_in_for_known_ones() {
            HistoryEvent event = HistoryJson.decode(TIMER);
            var doubled = new HistoryEvent(
                    event.eventId(),
                    null,
                    event.instanceId(),
                    event.executionId(),
                    event.timestampMillis(),
                    event.duroxideVersion(),
                    event.kind(),
                    new ExtraFields(Map.of("type", "\"TimerFired\"")));

            assertThatIllegalArgumentException().isThrownBy(() -> HistoryJson.encode(doubled));
        }

        @Test
        void are_json() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ExtraFields(Map.of("zone", "1},{\"event_id\":2")))
                    .withMessageContaining("extra field zone must be JSON");
        }

        @Test
        void are_not_spelled_out_in_logs() {
            assertThat(new ExtraFields(Map.of("zone", "\"secret\""))).hasToString("ExtraFields[zone]");
        }
    }
}
