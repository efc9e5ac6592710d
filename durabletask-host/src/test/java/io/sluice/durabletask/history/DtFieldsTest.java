package io.sluice.durabletask.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DtFieldsTest {
    private static final Instant TIME = Instant.parse("2026-06-15T08:00:00.000000001Z");

    @Test
    void the_field_is_the_documented_object() {
        var fields = new DtFields(
                3,
                List.of("input"),
                ByteString.copyFromUtf8("abcd"),
                TIME,
                List.of(ByteString.copyFromUtf8("e"), ByteString.EMPTY),
                "guid-1",
                "2.1");

        ExtraFields extras = fields.toExtras();

        assertThat(extras.jsonByName()).containsOnly(Map.entry("dt", """
                {"i":3,"n":["input"],"p":"YWJjZA","t":"2026-06-15T08:00:00.000000001Z",\
                "c":["ZQ",""],"e":"guid-1","v":"2.1"}"""));
        assertThat(DtFields.in(extras)).contains(fields);
    }

    @Test
    void what_is_empty_is_left_out() {
        var fields = DtFields.of(-1, List.of(), ByteString.EMPTY);

        assertThat(fields.toExtras().jsonByName().get("dt")).isEqualTo("{\"i\":-1,\"p\":\"\"}");
        assertThat(DtFields.in(fields.toExtras())).contains(fields);
    }

    @Test
    void an_event_of_others_has_none() {
        assertThat(DtFields.in(ExtraFields.NONE)).isEmpty();
        assertThat(DtFields.in(new ExtraFields(Map.of("other", "1")))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            []                              | dt.i: expected a whole number of 32 bits, found MISSING
            {"i":1.5,"p":""}                | dt.i: expected a whole number of 32 bits, found NUMBER
            {"i":4294967296,"p":""}         | dt.i: expected a whole number of 32 bits, found NUMBER
            {"i":"1","p":""}                | dt.i: expected a whole number of 32 bits, found STRING
            {"i":1}                         | dt.p: expected a string, found MISSING
            {"i":1,"p":"*"}                 | dt.p: expected base64
            {"i":1,"p":"","n":"input"}      | dt.n: expected an array, found STRING
            {"i":1,"p":"","n":[1]}          | dt.n: expected a string, found NUMBER
            {"i":1,"p":"","t":"yesterday"}  | dt.t: expected a time as ISO 8601 writes it
            {"i":1,"p":"","c":["*"]}        | dt.c: expected base64
            """)
    void what_is_not_of_the_format_is_refused_by_name(String json, String message) {
        assertThatThrownBy(() -> DtFields.in(new ExtraFields(Map.of("dt", json))))
                .isInstanceOf(HistoryFormatException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"i":1,"p":"/w"}  | dt.p: expected an event as protobuf
            {"i":1,"p":"CAE"} | dt.p: expected an event that is stored, found EVENTTYPE_NOT_SET
            {"i":1,"p":"OgA"} | dt.p: a taskCompleted belongs in ActivityCompleted, found one in TimerFired
            """)
    void an_event_that_can_not_be_read_is_named(String json, String message) {
        var event = new HistoryEvent(
                7, 4L, "order-7", 2, 0, "999.1.0", new EventKind.TimerFired(1), new ExtraFields(Map.of("dt", json)));

        assertThatThrownBy(() -> EventDecoder.decode(event, ReplayedIds.of(List.of())))
                .isInstanceOf(HistoryFormatException.class)
                .hasMessage("instance 'order-7', execution 2, event 7 (TimerFired): " + message);
    }
}
