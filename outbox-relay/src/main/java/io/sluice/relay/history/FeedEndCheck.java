package io.sluice.relay.history;

import io.sluice.relay.feed.PageReader;
import io.sluice.relay.loop.RepeatedCheck;
import io.sluice.relay.loop.StopRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Compares a position with the end of its feed. A store that was restored in place, or lost its last writes in a
 * failover, keeps its resource id. Its next writes get sequence numbers that were read before, so a reader that
 * continues at its position would miss them.
 *
 * <p>A replica of the store that lags behind also ends earlier for a moment, see {@link RepeatedCheck}.
 */
final class FeedEndCheck {
    private static final String AHEAD = " is ahead of the change feed's end";

    private final PageReader reader;
    private final Duration pause;
    private final StopRequest stop;

    /** @param pause between two requests; the stop ends it early */
    FeedEndCheck(PageReader reader, Duration pause, StopRequest stop) {
        this.reader = reader;
        this.pause = pause;
        this.stop = stop;
    }

    /**
     * Says why a position can't be trusted.
     *
     * @param heartbeat runs before each request
     * @return null when it can be trusted, or when the stop came before that was certain
     */
    @Nullable
    String fault(RangeId id, Position position, Runnable heartbeat) throws InterruptedException {
        var floor = position.floor();
        if (floor == null) {
            return null;
        }
        return new RepeatedCheck(pause, stop)
                .fault(id.name(), () -> reader.aheadOfEnd(floor).map(ahead -> refusal(id, ahead)), heartbeat);
    }

    /** Whether a position is refused for being ahead of its feed. */
    static boolean isReasonOf(Position position) {
        var refused = position.refused();
        return refused != null && refused.contains(AHEAD);
    }

    static String refusal(RangeId id, String ahead) {
        return "the position of range " + id.name() + AHEAD + " (" + ahead
                + "): the container was restored in place, or lost its last writes in a failover, and events would be skipped. Publish what was written since with"
                + " run --from <the time it was restored to> (replay --from publishes it to a topic of its own), or use another prefix; see Backup and restore in deploying.md."
                + " If neither has happened, and physical partitions of the container were merged, let it go on where it is with positions trust --yes while no relay runs";
    }
}
