package io.sluice.emulator.changefeed;

import io.sluice.emulator.document.StatusException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Where a reader of the change feed goes on.
 *
 * @param afterLsn the log sequence number it has read, {@link #NOW} for whatever there is at this moment
 * @param sinceSeconds only what was written at or after this time, in seconds since 1970
 */
public record FeedStart(long afterLsn, long sinceSeconds) {
    /** Everything written so far counts as read. */
    public static final long NOW = Long.MAX_VALUE;

    /**
     * Reads the two headers a client may send, alone or together.
     *
     * @param ifNoneMatch a continuation with or without quotes, {@code *} for now, null for the beginning
     * @param ifModifiedSince a date of RFC 1123, null for any time
     * @throws StatusException 400 when they can't be read
     */
    public static FeedStart parse(@Nullable String ifNoneMatch, @Nullable String ifModifiedSince) {
        return new FeedStart(lsn(ifNoneMatch), seconds(ifModifiedSince));
    }

    private static long lsn(@Nullable String continuation) {
        if (continuation == null) {
            return 0;
        }
        var bare = continuation.replace("\"", "").trim();
        if (bare.equals("*")) {
            return NOW;
        }
        try {
            long lsn = Long.parseLong(bare);
            if (lsn >= 0) {
                return lsn;
            }
        } catch (NumberFormatException e) {
            throw invalid(continuation);
        }
        throw invalid(continuation);
    }

    private static long seconds(@Nullable String date) {
        if (date == null) {
            return 0;
        }
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME
                    .parse(date, Instant::from)
                    .getEpochSecond();
        } catch (DateTimeException e) {
            throw StatusException.badRequest("The If-Modified-Since date '" + date + "' is invalid.");
        }
    }

    private static StatusException invalid(String continuation) {
        return StatusException.badRequest("The change feed continuation '" + continuation + "' is invalid.");
    }
}
