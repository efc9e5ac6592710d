package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BackgroundTaskTest {
    private static final Duration SOON = Duration.ofMillis(4);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void goes_on_after_a_step_that_failed_and_after_an_error() throws Exception {
        CountDownLatch steps = new CountDownLatch(3);
        BackgroundTask task = new BackgroundTask("test", SOON, goesOn -> {
            steps.countDown();
            if (steps.getCount() == 2) {
                throw new IllegalStateException("the first step");
            }
            if (steps.getCount() == 1) {
                throw new AssertionError("the second step");
            }
            return true;
        });
        task.start();

        assertThat(steps.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        task.stop();
        task.awaitEnd(PATIENCE);
    }

    @Test
    void a_stop_ends_a_step_between_its_parts_and_no_other_follows() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger steps = new AtomicInteger();
        BackgroundTask task = new BackgroundTask("test", SOON, goesOn -> {
            steps.incrementAndGet();
            begun.countDown();
            while (goesOn.getAsBoolean()) {
                Thread.onSpinWait();
            }
            return true;
        });
        task.start();
        assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        task.stop();
        task.awaitEnd(PATIENCE);

        assertThat(steps).hasValue(1);
        assertThat(task.isRunning()).isFalse();
    }

    @Test
    void a_stop_ends_a_rest_at_once() {
        BackgroundTask task = new BackgroundTask("test", LONG, goesOn -> true);
        task.start();

        task.stop();
        task.awaitEnd(PATIENCE);

        assertThat(task.isRunning()).isFalse();
    }

    @Test
    void a_step_may_be_the_last() {
        BackgroundTask task = new BackgroundTask("test", SOON, goesOn -> false);
        task.start();

        task.awaitEnd(PATIENCE);

        assertThat(task.isRunning()).isFalse();
    }
}
