package io.sluice.relay.lifecycle;

import io.sluice.relay.feed.PageReader;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.StopRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Compares a position with where its feed ends. A store that was restored in place keeps its resource id, and so does one that lost its last writes in a failover: what is written there next gets
 * numbers that were read before, and going on would pass over it.
 *
 * <p>A copy of the store that lags behind ends earlier, too, for a moment: it is asked several times, and only a position that stays ahead is refused.
 */
final class FeedEndCheck {
    private static final Logger LOG = LoggerFactory.getLogger(FeedEndCheck.class);
    /** With a rest of a second between them this is longer than the copies of one region ever lag. */
    static final int MOST_QUESTIONS = 10;

    private final PageReader reader;
    private final Duration rest;
    private final StopRequest stop;

    /** @param rest between two questions; ended early by the stop */
    FeedEndCheck(PageReader reader, Duration rest, StopRequest stop) {
        this.reader = reader;
        this.rest = rest;
        this.stop = stop;
    }

    /**
     * Why nobody may go on from a position.
     *
     * @param turned run before each question
     * @return null when it can be trusted, or when it was told to stop before that was certain
     */
    @Nullable
    String fault(RangeId id, Position position, Runnable turned) throws InterruptedException {
        var continuation = position.continuation();
        if (continuation == null) {
            return null;
        }
        for (int questions = 1; ; questions++) {
            turned.run();
            var ahead = reader.aheadOfEnd(continuation);
            if (ahead.isEmpty()) {
                return null;
            }
            if (questions == MOST_QUESTIONS) {
                return refusal(id, ahead.get());
            }
            LOG.atLevel(questions == 1 ? Level.WARN : Level.DEBUG)
                    .addKeyValue(LogKeys.RANGE, id.index())
                    .addKeyValue(LogKeys.REASON, ahead.get())
                    .log("the position is ahead of the change feed's end, asking again");
            if (stop.rest(rest)) {
                return null;
            }
        }
    }

    static String refusal(RangeId id, String ahead) {
        return "the position of range " + id.index() + " is ahead of the change feed's end (" + ahead
                + "): the container was restored in place, or lost its last writes in a failover, and events would be passed over. Publish what was written since with"
                + " run --from <the time it was restored to> (replay --from publishes it to a topic of its own), or use another prefix; see Backup and restore in deploying.md";
    }
}
