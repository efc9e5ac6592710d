package io.sluice.relay.loop;

import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Repeats a check of a position whose fault may pass, because a copy of the store or a broker lags behind for a moment:
 * only a fault that stays counts.
 */
public final class RepeatedCheck {
    private static final Logger LOG = LoggerFactory.getLogger(RepeatedCheck.class);
    /** With a pause of a second between them this is longer than the copies of one region ever lag. */
    public static final int MAX_REQUESTS = 10;

    private final Duration pause;
    private final StopRequest stop;

    /** @param pause between two requests; the stop ends it early */
    public RepeatedCheck(Duration pause, StopRequest stop) {
        this.pause = pause;
        this.stop = stop;
    }

    /**
     * The fault that stays.
     *
     * @param range whose position it is, for the log
     * @param check finds the fault; empty for none
     * @param heartbeat runs before each check
     * @return null when there is none, or when the stop came before that was certain
     */
    @Nullable
    public String fault(String range, Supplier<Optional<String>> check, Runnable heartbeat)
            throws InterruptedException {
        for (int requests = 1; ; requests++) {
            heartbeat.run();
            var fault = check.get();
            if (fault.isEmpty()) {
                return null;
            }
            if (requests == MAX_REQUESTS) {
                return fault.get();
            }
            LOG.atLevel(requests == 1 ? Level.WARN : Level.DEBUG)
                    .addKeyValue(LogKeys.RANGE, range)
                    .addKeyValue(LogKeys.REASON, fault.get())
                    .log("the position of a range does not seem to fit, will check it again");
            if (stop.await(pause)) {
                return null;
            }
        }
    }
}
