package io.sluice.provider.feed;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets an announcer catch up again and again, as a relay does, until it is closed. */
public final class BackgroundAnnouncements implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundAnnouncements.class);
    private static final Duration REST = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ChangeFeedAnnouncer announcer;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "change-feed-announcer"));
    private @Nullable Future<?> task;

    private BackgroundAnnouncements(ChangeFeedAnnouncer announcer) {
        this.announcer = announcer;
    }

    /** Begins. */
    public static BackgroundAnnouncements start(ChangeFeedAnnouncer announcer) {
        BackgroundAnnouncements background = new BackgroundAnnouncements(announcer);
        background.task = background.thread.scheduleWithFixedDelay(
                background::catchUp, 0, REST.toMillis(), TimeUnit.MILLISECONDS);
        return background;
    }

    private void catchUp() {
        try {
            announcer.catchUp();
        } catch (RuntimeException e) {
            // The store may refuse requests; the next try reads the same again.
            LOG.atDebug().setCause(e).log("announcements are read again");
        }
    }

    @Override
    public void close() {
        if (task != null) {
            task.cancel(false);
        }
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("an announcer does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
