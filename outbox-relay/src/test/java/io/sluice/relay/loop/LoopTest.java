package io.sluice.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoopTest {
    @Test
    void a_step_that_ends_in_an_error_is_repeated() throws InterruptedException {
        var steps = new AtomicInteger();
        var second = new CountDownLatch(1);
        try (var loop = new Loop(
                "test",
                () -> {
                    if (steps.incrementAndGet() == 1) {
                        throw new StackOverflowError("too deep");
                    }
                    second.countDown();
                    return Duration.ofMinutes(1);
                },
                Duration.ofSeconds(5))) {
            loop.start();
            loop.wakeUp();

            assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
