package io.sluice.relay.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReadPlacesTest {
    private static final Duration SOON = Duration.ofMillis(5);
    private static final RuntimeException FULL = new IllegalStateException("full");

    private static int taken(ReadPlaces places, boolean isSlow) throws InterruptedException {
        int taken = 0;
        try {
            while (true) {
                places.take(isSlow, () -> {
                    throw FULL;
                });
                taken++;
            }
        } catch (IllegalStateException e) {
            assertThat(e).isSameAs(FULL);
        }
        return taken;
    }

    @ParameterizedTest(name = "{0} places")
    @CsvSource({"0, 1, 1", "2, 1, 1", "8, 6, 2", "32, 24, 8"})
    void the_slow_have_a_quarter_and_neither_takes_from_the_other(int places, int quick, int slow) throws Exception {
        var all = new ReadPlaces(places, SOON);

        assertThat(taken(all, true)).isEqualTo(slow);
        assertThat(taken(all, false)).isEqualTo(quick);
    }

    @Test
    void a_place_that_is_given_back_is_taken_by_who_waits() throws Exception {
        var places = new ReadPlaces(2, SOON);
        var first = new AtomicReference<>(places.take(true, () -> {}));

        var second = places.take(true, () -> first.getAndSet(() -> {}).close());

        assertThat(first.get()).isNotNull();
        second.close();
    }
}
