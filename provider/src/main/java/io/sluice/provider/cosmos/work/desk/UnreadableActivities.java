package io.sluice.provider.cosmos.work.desk;

import io.sluice.provider.announcement.Announcement;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announcements of activities in a format of a later release, of which this one can read no activity. For a turn the
 * instance's id is enough for a look; an activity without an id has to be searched for. While such announcements
 * come the store is queried as without a feed, at its own pace and not once for each of them. Thread-safe.
 */
final class UnreadableActivities {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableActivities.class);
    private static final long LASTS_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;
    private boolean hasAny;
    private long lastNanos;

    UnreadableActivities(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** One came. It may be settled, since the store is queried from now on. */
    synchronized void heard(Announcement announcement) {
        if (!hasAny) {
            LOG.atWarn()
                    .addKeyValue("version", announcement.version())
                    .addKeyValue("known", Announcement.VERSION)
                    .log("activities are announced in a way that this release can't read, the store is queried for"
                            + " them: update this library");
        }
        hasAny = true;
        lastNanos = nanoTime.getAsLong();
    }

    /** Whether one came lately. */
    synchronized boolean hasRecent() {
        return hasAny && nanoTime.getAsLong() - lastNanos < LASTS_NANOS;
    }
}
