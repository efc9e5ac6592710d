package io.sluice.relay.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.fuzz.Fuzz;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Records of the history topic that somebody else may have written: streams go on. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryRecordFuzzTest {
    private static final List<String> HEADERS = List.of(
            "ce_id=order-1:2:1:1700000000123",
            "ce_type=io.sluice.history.ExternalEvent",
            "ce_time=2023-11-14T22:13:20.123Z",
            "ce_source=cosmos://account/db/container");

    @Test
    void a_damaged_record_is_read() {
        Fuzz.of("headers of history records", HEADERS).read(text -> {
            var headers = new RecordHeaders();
            text.lines().forEach(line -> {
                int equals = line.indexOf('=');
                headers.add(
                        equals < 0 ? line : line.substring(0, equals),
                        equals < 0 ? null : line.substring(equals + 1).getBytes(UTF_8));
            });
            HistoryRecord.millis(headers, 5);
            assertThat(HistoryRecord.of(headers, text.getBytes(UTF_8)).event()).isEmpty();
        });
    }
}
