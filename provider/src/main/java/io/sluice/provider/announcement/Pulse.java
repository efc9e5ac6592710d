package io.sluice.provider.announcement;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says that a range of the container is being announced. A relay sends one for each of its ranges every two seconds,
 * and none while it does not announce. Its JSON has the fields' names.
 *
 * @param version of the format; in every version these fields mean the same
 * @param min where the range begins in the key space of the container, as the service writes it: upper-case
 *     hexadecimal, empty for the beginning of the space
 * @param max where it ends, {@code FF} for the end of the space
 * @param at when it was sent (milliseconds, by the relay's clock)
 * @param lagMillis for how long the relay has not been at the end of the range's feed; 0 at its end
 * @param horizon milliseconds: what becomes visible in the range until then, or whose lock expires until then, was
 *     announced
 * @param store the relay's
 */
public record Pulse(int version, String min, String max, long at, long lagMillis, long horizon, WorkStore store) {
    /** The format's version that this class writes. */
    public static final int VERSION = 3;

    private static final Pattern BOUND = Pattern.compile("[0-9A-F]{0,64}");

    public Pulse {
        if (version < VERSION) {
            throw new IllegalArgumentException("version must be at least " + VERSION + ", was " + version
                    + ": the relay is older than this library, update it");
        }
        requireBound("min", min);
        requireBound("max", max);
        if (min.compareTo(max) >= 0) {
            throw new IllegalArgumentException("max must be above min, was " + max + ", min " + min);
        }
        if (lagMillis < 0) {
            throw new IllegalArgumentException("lagMillis must be at least 0, was " + lagMillis);
        }
        if (store == null) {
            throw new IllegalArgumentException("store is required, but missing");
        }
    }

    private static void requireBound(String name, @Nullable String bound) {
        if (bound == null || !BOUND.matcher(bound).matches()) {
            throw new IllegalArgumentException(name + " must be up to 64 hexadecimal digits, was " + bound);
        }
    }

    /** One of this version. */
    public static Pulse of(WorkStore store, String min, String max, long at, long lagMillis, long horizon) {
        return new Pulse(VERSION, min, max, at, lagMillis, horizon, store);
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
