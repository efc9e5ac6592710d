package io.sluice.relay.purge;

import io.sluice.program.FailureReason;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Threads;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers purge markers on separate threads: a store that throttles takes up to ten seconds for each, and publishing
 * does not wait for that. An answer may come late or never: then the provider removes its marker after a while, deletes
 * nothing, and asks again. Thread-safe.
 */
public final class PurgeResponder implements Consumer<PurgeMarker>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PurgeResponder.class);
    private static final int THREADS = 4;
    private static final int MOST_WAITING = 1_000;
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Consumer<PurgeMarker> answer;
    private final Duration drainTimeout;
    private final ThreadPoolExecutor workers;

    /**
     * Answers nothing yet.
     *
     * @param answer may block
     * @param drainTimeout how long closing waits for the markers taken
     */
    public PurgeResponder(Consumer<PurgeMarker> answer, Duration drainTimeout) {
        this.answer = answer;
        this.drainTimeout = drainTimeout;
        this.workers = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                Threads.named("sluice-purge"));
        workers.allowCoreThreadTimeOut(true);
    }

    /** Takes a marker whose earlier events are committed; returns at once. */
    @Override
    public void accept(PurgeMarker marker) {
        try {
            workers.execute(() -> answer(marker));
        } catch (RejectedExecutionException e) {
            notAnswered(marker, MOST_WAITING + " others wait, or the relay closes");
        }
    }

    private void answer(PurgeMarker marker) {
        try {
            answer.accept(marker);
        } catch (RuntimeException e) {
            notAnswered(marker, FailureReason.of(e));
        }
    }

    private static void notAnswered(PurgeMarker marker, String reason) {
        LOG.atWarn()
                .addKeyValue(LogKeys.INSTANCE, marker.instanceId())
                .addKeyValue(LogKeys.REASON, reason)
                .log("a purge marker was not answered, the provider will ask again");
    }

    /** Takes no more markers, and waits for those taken, at most the drain timeout. */
    @Override
    public void close() {
        Threads.drain(workers, drainTimeout);
    }
}
