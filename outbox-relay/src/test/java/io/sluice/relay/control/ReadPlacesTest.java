package io.sluice.relay.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReadPlacesTest {
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
        var all = new ReadPlaces(places);

        assertThat(taken(all, true)).isEqualTo(slow);
        assertThat(taken(all, false)).isEqualTo(quick);
    }

    @Test
    void a_place_that_is_given_back_is_taken_by_who_waits() throws Exception {
        var places = new ReadPlaces(2);
        var first = new AtomicReference<>(places.take(true, () -> {}));

        var second = places.take(true, () -> first.getAndSet(() -> {}).close());

        assertThat(first.get()).isNotNull();
        second.close();
    }

    @Test
    void places_are_given_in_order_of_arrival_however_long_somebody_waits() throws Exception {
        var places = new ReadPlaces(2);
        var held = places.take(true, () -> {});
        var order = new LinkedBlockingQueue<Integer>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            var waits = new CountDownLatch(1);
            var thread = new Thread(() -> {
                try {
                    var place = places.take(true, waits::countDown);
                    order.add(number);
                    place.close();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.setDaemon(true);
            thread.start();
            waits.await();
        }

        held.close();

        assertThat(List.of(order.take(), order.take(), order.take())).containsExactly(0, 1, 2);
    }
}
