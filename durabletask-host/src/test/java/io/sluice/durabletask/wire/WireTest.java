package io.sluice.durabletask.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import com.google.protobuf.Timestamp;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireTest {
    @Test
    void an_absent_string_is_not_an_empty_one() {
        assertThat(Wire.orNull(false, StringValue.getDefaultInstance())).isNull();
        assertThat(Wire.orNull(true, Wire.text(""))).isEmpty();
        assertThat(Wire.orNull(true, Wire.text("x"))).isEqualTo("x");
    }

    @ParameterizedTest
    @CsvSource({"2026-06-15T08:00:00.000000001Z", "1969-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"})
    void a_time_keeps_its_nanoseconds(Instant time) {
        assertThat(Wire.instant(Wire.timestamp(time))).isEqualTo(time);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            # seconds, nanos, milliseconds
            0, 0, 0
            1, 0, 1000
            1, 1, 1001
            1, 999999, 1001
            1, 1000000, 1001
            1, 1000001, 1002
            1, 999999999, 2000
            -1, 999999999, 0
            -1, 0, 0
            -62135596800, 0, 0
            253402300799, 999999999, 253402300800000
            9223372036854775807, 0, 9007199254740991
            9007199254740, 999999999, 9007199254741000
            9007199254741, 0, 9007199254740991
            """)
    void a_timer_never_fires_before_its_time(long seconds, int nanos, long expectedMillis) {
        var time = Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build();

        assertThat(Wire.millisNotBefore(time)).isEqualTo(Math.min(expectedMillis, WorkItem.LATEST_MILLIS));
    }
}
