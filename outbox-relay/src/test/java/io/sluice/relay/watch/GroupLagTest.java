package io.sluice.relay.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.watch.GroupLag.Offset;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GroupLagTest {
    private long nowMillis = 1_000_000;
    private Map<Integer, Offset> offsets = Map.of();
    private boolean away;
    private final GroupLag lag =
            new GroupLag("test", this::asked, () -> Instant.ofEpochMilli(nowMillis), Duration.ZERO);

    private Map<Integer, Offset> asked() throws TimeoutException {
        if (away) {
            throw new TimeoutException("no broker answers");
        }
        return offsets;
    }

    private GroupLag.Measurement look(int afterSeconds, Map<Integer, Offset> now) throws InterruptedException {
        nowMillis += afterSeconds * 1_000L;
        offsets = now;
        lag.step();
        return lag.latest();
    }

    @Test
    void what_was_never_asked_is_unknown() {
        assertThat(lag.latest().records()).isNaN();
        assertThat(lag.latest().standing()).isZero();
    }

    @Test
    void a_group_that_takes_what_comes_does_not_stand_however_much_waits() throws InterruptedException {
        look(0, Map.of(0, new Offset(0, 1_000)));
        look(100, Map.of(0, new Offset(10, 2_000)));

        assertThat(look(100, Map.of(0, new Offset(20, 3_000))))
                .isEqualTo(new GroupLag.Measurement(2_980, Duration.ZERO));
    }

    @Test
    void one_partition_of_which_nothing_is_taken_stands() throws InterruptedException {
        look(0, Map.of(0, new Offset(5, 5), 1, new Offset(3, 3)));
        look(50, Map.of(0, new Offset(5, 6), 1, new Offset(4, 5)));

        assertThat(look(70, Map.of(0, new Offset(5, 9), 1, new Offset(5, 6))))
                .isEqualTo(new GroupLag.Measurement(5, Duration.ofSeconds(70)));
        assertThat(look(10, Map.of(0, new Offset(9, 9), 1, new Offset(6, 6))))
                .isEqualTo(new GroupLag.Measurement(0, Duration.ZERO));
    }

    @Test
    void an_idle_group_does_not_stand() throws InterruptedException {
        look(0, Map.of(0, new Offset(5, 5)));

        assertThat(look(10_000, Map.of(0, new Offset(5, 5))).standing()).isZero();
    }

    @Test
    void what_can_not_be_told_is_unknown_and_goes_on_standing() throws InterruptedException {
        look(0, Map.of(0, new Offset(5, 9)));
        away = true;

        var look = look(100, Map.of());

        assertThat(look.records()).isNaN();
        assertThat(look.standing()).isEqualTo(Duration.ofSeconds(100));
    }
}
