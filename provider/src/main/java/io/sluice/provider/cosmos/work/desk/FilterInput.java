package io.sluice.provider.cosmos.work.desk;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.cosmos.work.WorkFilter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The announcements for the dispatchers with one filter, or with several that mean the same. Times are of a monotonic
 * clock. Thread-safe.
 */
final class FilterInput {
    /** As long as the index remembers a filter that nobody uses. */
    private static final long UNUSED_NANOS = Duration.ofSeconds(30).toNanos();
    /** Filters may be many over time, and each has clients and threads of the feed while it is listened for. */
    private static final long LISTENED_NANOS = Duration.ofMinutes(10).toNanos();
    /** A feed takes this long at most to listen for a filter that comes again, unless something is wrong. */
    private static final long JOINED_NANOS = Duration.ofSeconds(10).toNanos();

    private final WorkFeed.Subscription subscription;
    private final Map<WorkFilter, Integer> wanted = new HashMap<>();
    private int fetches;
    private long usedNanos;
    private boolean isEnded;
    private boolean isJoining;
    private long joinsUntilNanos;

    FilterInput(WorkFeed.Subscription subscription, long nowNanos) {
        this.subscription = subscription;
        this.isJoining = !subscription.isHealthy();
        this.joinsUntilNanos = nowNanos + JOINED_NANOS;
    }

    WorkFeed.Subscription subscription() {
        return subscription;
    }

    /** Returns false when it has ended: another one takes its place. */
    synchronized boolean begin(long nowNanos) {
        if (isEnded) {
            return false;
        }
        if (!isInUse(nowNanos)) {
            isJoining = !subscription.isHealthy();
            joinsUntilNanos = nowNanos + JOINED_NANOS;
        }
        fetches++;
        return true;
    }

    /** Ends it where no dispatcher has used it for long. Returns whether it has. */
    synchronized boolean endUnused(long nowNanos) {
        boolean isUnused = fetches == 0 && nowNanos - usedNanos >= LISTENED_NANOS;
        boolean ends = isUnused && !isEnded;
        isEnded |= ends;
        return ends;
    }

    synchronized void ended(long nowNanos) {
        fetches--;
        usedNanos = nowNanos;
    }

    /**
     * Dispatchers with one of the filters that share the text are free for so many. Said again, it is passed on again:
     * what the feed announced meanwhile has taken some off.
     */
    synchronized void request(WorkFilter filter, int announcements) {
        if (announcements == 0) {
            wanted.remove(filter);
        } else {
            wanted.put(filter, announcements);
        }
        subscription.request(
                wanted.values().stream().mapToInt(Integer::intValue).sum());
    }

    /** Whether a dispatcher uses it; of one that nobody uses the feed may have let go. */
    synchronized boolean isInUse(long nowNanos) {
        return fetches > 0 || nowNanos - usedNanos < UNUSED_NANOS;
    }

    /** Whether what comes for it is announced. */
    boolean isHealthy() {
        return subscription.isHealthy();
    }

    /** Whether nothing is wrong though it is not announced: the feed has just begun to listen for it. */
    synchronized boolean isJoining(long nowNanos) {
        return isJoining && nowNanos - joinsUntilNanos < 0 && !subscription.isHealthy();
    }

    /** How long nothing is wrong yet; {@link Long#MAX_VALUE} where it is announced, or something is. */
    synchronized long nanosUntilOverdue(long nowNanos) {
        return isInUse(nowNanos) && isJoining(nowNanos) ? joinsUntilNanos - nowNanos : Long.MAX_VALUE;
    }

    /** Returns whether it is announced now, and was not since it came into use: once. */
    synchronized boolean noteJoined() {
        boolean hasJoined = isJoining && subscription.isHealthy();
        isJoining &= !hasJoined;
        return hasJoined;
    }
}
