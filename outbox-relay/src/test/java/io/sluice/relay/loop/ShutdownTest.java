package io.sluice.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShutdownTest {
    private static final Duration WHOLE = Duration.ofMillis(200);

    private final CountDownLatch interrupted = new CountDownLatch(3);
    private final CountDownLatch closed = new CountDownLatch(3);

    /** As Kafka's client does when its broker is away: it never ends by itself. */
    private void hang() throws InterruptedException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
    }

    @Test
    void what_hangs_is_interrupted_and_keeps_nothing_else_from_closing() throws Exception {
        Shutdown.within(WHOLE)
                .together(0.5, this::hang, this::hang, closed::countDown)
                .together(1, this::hang, closed::countDown)
                .together(1, closed::countDown);

        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void what_fails_keeps_nothing_else_from_closing() throws Exception {
        AutoCloseable failing = () -> {
            throw new IllegalStateException("on purpose");
        };

        Shutdown.within(WHOLE)
                .together(1, failing, closed::countDown, closed::countDown)
                .together(1, closed::countDown);

        assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
