package io.sluice.relay.loop;

import io.sluice.program.FailureReason;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step repeated on a thread of its own until it is closed, whatever the step throws. {@link #start} and
 * {@link #close} are idempotent, close works before start; closing ends a wait at once and a step never: it returns
 * when the step has finished or the drain timeout is over.
 */
public final class Loop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration REST_AFTER_FAILURE = Duration.ofSeconds(1);

    private final String name;
    private final Step step;
    private final Duration drainTimeout;
    private final Semaphore wakeUps = new Semaphore(0);
    private volatile boolean stopped;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    /** What a loop repeats. */
    @FunctionalInterface
    public interface Step {
        /**
         * Does one round of work.
         *
         * @return how long to wait before the next
         * @throws Exception when the round failed; it is logged and the loop goes on after a second
         */
        Duration run() throws Exception;
    }

    public Loop(String name, Step step, Duration drainTimeout) {
        this.name = name;
        this.step = step;
        this.drainTimeout = drainTimeout;
    }

    /** Starts the thread, named as the loop. */
    public void start() {
        if (stopped) {
            return;
        }
        var fresh = new Thread(this::run, name);
        fresh.setDaemon(true);
        if (thread.compareAndSet(null, fresh)) {
            fresh.start();
        }
    }

    private void run() {
        try {
            while (!stopped) {
                var pause = once();
                if (wakeUps.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                    wakeUps.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration once() throws InterruptedException {
        try {
            return step.run();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.LOOP, name)
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("a step of a background loop failed, the loop will try again");
            LOG.atDebug().addKeyValue(LogKeys.LOOP, name).setCause(e).log("why the step of the loop failed");
            return REST_AFTER_FAILURE;
        } catch (Error e) {
            // The end of this thread would not be noticed, so it must continue.
            LOG.atError()
                    .addKeyValue(LogKeys.LOOP, name)
                    .setCause(e)
                    .log("a step of a background loop ended in an error, the loop will try again");
            return REST_AFTER_FAILURE;
        }
    }

    /** Ends the wait under way at once, or the next one. */
    public void wakeUp() {
        wakeUps.release();
    }

    /** Ends the loop after the step under way, and does not wait for that. */
    public void stop() {
        stopped = true;
        wakeUps.release();
    }

    /** Ends the loop and waits for the step under way, at most the drain timeout. */
    @Override
    public void close() {
        stop();
        var running = thread.get();
        if (running == null || running == Thread.currentThread()) {
            return;
        }
        if (!Threads.join(running, drainTimeout)) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.LOOP, name)
                    .log(
                            "a background loop did not finish its step within the drain timeout, closing goes on without it");
        }
    }
}
