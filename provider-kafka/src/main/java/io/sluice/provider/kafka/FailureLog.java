package io.sluice.provider.kafka;

import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The failures of one loop: one line when they begin or change, one when they end, however many loops read the same;
 * and how long to wait before the next attempt. {@link #problem} and {@link #isUnsupported} may be asked by any thread.
 */
final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    private final String what;
    private final FeedTimings timings;
    private final KnownFailures known;
    private int failures;
    private volatile @Nullable Throwable last;

    /**
     * Of one loop.
     *
     * @param what the loop reads, for the log
     * @param known of all loops that read this
     */
    FailureLog(String what, FeedTimings timings, KnownFailures known) {
        this.what = what;
        this.timings = timings;
        this.known = known;
    }

    /** Returns for how long to wait before the next attempt. */
    Duration failed(Throwable failure) {
        last = failure;
        if (known.begin(this, failure)) {
            log(failure);
        }
        failures++;
        return isUnsupported() ? timings.unsupportedRetry() : backoff();
    }

    private void log(Throwable failure) {
        if (failure instanceof Error) {
            LOG.atError()
                    .addKeyValue("reader", what)
                    .setCause(failure)
                    .log("announcements can't be read, will try again: this JVM, or its class path, is not in order");
        } else if (failure instanceof UnsupportedVersionException) {
            LOG.atInfo()
                    .addKeyValue("reader", what)
                    .addKeyValue("message", failure.getMessage())
                    .log("the broker can't distribute these announcements, the store is queried instead: "
                            + remedy(failure));
        } else {
            LOG.atWarn()
                    .addKeyValue("reader", what)
                    .setCause(failure)
                    .log("announcements can't be read, will try again: " + remedy(failure));
        }
    }

    private static String remedy(Throwable failure) {
        if (failure instanceof AuthenticationException) {
            return "check the security settings of this client";
        }
        if (failure instanceof AuthorizationException) {
            return "allow its user to read this topic and this group";
        }
        if (failure instanceof UnsupportedVersionException) {
            return "share groups for activities need Kafka 4.2 and the feature share.version";
        }
        if (failure instanceof InvalidSessionTimeoutException) {
            return "set the brokers' group.min.session.timeout.ms to 6000, their default, or less: after so long a group"
                    + " of turns misses a process";
        }
        return "check the address, and that the brokers are up";
    }

    private Duration backoff() {
        Duration doubled = timings.firstRetry().multipliedBy(1L << Math.min(failures - 1, 20));
        return doubled.compareTo(timings.longestRetry()) < 0 ? doubled : timings.longestRetry();
    }

    void succeeded() {
        if (last != null) {
            last = null;
            failures = 0;
            if (known.end(this)) {
                LOG.atInfo().addKeyValue("reader", what).log("announcements can be read again");
            }
        }
    }

    /** Nobody wants it to work any more: others are judged without it. */
    void ended() {
        last = null;
        failures = 0;
        var unused = known.end(this);
    }

    /** Why it can't be read; null while it can. */
    @Nullable
    String problem() {
        Throwable failure = last;
        return failure == null ? null : what + ": " + Objects.requireNonNullElse(failure.getMessage(), failure);
    }

    /** Whether the broker has no such groups. */
    boolean isUnsupported() {
        return last instanceof UnsupportedVersionException;
    }
}
