package io.sluice.provider.announcement;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Says that a range of the container is being announced. A relay sends one for each of its ranges every two seconds,
 * and none while it does not announce. Its JSON has the fields' names.
 *
 * @param version of the format; in every version these fields mean the same
 * @param range which of the ranges, from 0
 * @param ranges how many ranges the container is divided into
 * @param at when it was sent (milliseconds, by the relay's clock)
 * @param lagMillis for how long the relay has not been at the end of the range's feed; 0 at its end
 * @param horizon milliseconds: what becomes visible in the range until then, or whose lock expires until then, was
 *     announced
 * @param store the relay's; null in the first version alone
 */
public record Pulse(
        int version,
        int range,
        int ranges,
        long at,
        long lagMillis,
        long horizon,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable WorkStore store) {
    /** The format's version that this class writes. */
    public static final int VERSION = 2;

    public Pulse {
        if (version < 1) {
            throw new IllegalArgumentException("version must be at least 1, was " + version);
        }
        if (ranges < 1 || ranges > Limits.MOST_RANGES) {
            throw new IllegalArgumentException("ranges must be 1 to " + Limits.MOST_RANGES + ", was " + ranges);
        }
        if (range < 0 || range >= ranges) {
            throw new IllegalArgumentException("range must be 0 to " + (ranges - 1) + ", was " + range);
        }
        if (lagMillis < 0) {
            throw new IllegalArgumentException("lagMillis must be at least 0, was " + lagMillis);
        }
        if (store == null && version > 1) {
            throw new IllegalArgumentException("store is required, but missing");
        }
    }

    /** One of this version. */
    public static Pulse of(WorkStore store, int range, int ranges, long at, long lagMillis, long horizon) {
        return new Pulse(VERSION, range, ranges, at, lagMillis, horizon, store);
    }

    /** The JSON, in UTF-8. */
    public byte[] toJson() {
        return AnnouncementJson.write(this);
    }

    /**
     * Reads what {@link #toJson} wrote, or a later version of it.
     *
     * @throws MalformedAnnouncementException naming the field
     */
    public static Pulse fromJson(byte @Nullable [] json) {
        return AnnouncementJson.read(json, Pulse.class);
    }
}
