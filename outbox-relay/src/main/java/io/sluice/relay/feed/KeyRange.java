package io.sluice.relay.feed;

import com.azure.cosmos.models.FeedRange;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A part of the container's key space, by effective partition key; lower bound inclusive, upper bound exclusive.
 *
 * <p>Partition keys are hashed to 128 bits with the two top bits cleared (hash version 2), so values lie in
 * {@code 00…} to {@code 3FFF…}, though the whole space is written {@code ""} to {@code "FF"}. Equal parts are
 * therefore cut from 00…0 to 3FF…F, and the first and the last are stretched to the ends of the space.
 *
 * @param min upper-case hexadecimal, {@code ""} for the beginning of the space
 * @param max upper-case hexadecimal, {@code "FF"} for its end
 */
public record KeyRange(String min, String max) {
    /** By where they begin. */
    public static final Comparator<KeyRange> ORDER =
            Comparator.comparing(KeyRange::min).thenComparing(KeyRange::max);

    private static final JsonMapper JSON = new JsonMapper();
    private static final String FIRST = "";
    private static final String LAST = "FF";
    private static final Pattern BOUND = Pattern.compile("[0-9A-F]{0,64}");
    private static final int HEX = 16;
    private static final int HEX_DIGITS = 32;
    private static final int NAMED_DIGITS = 8;
    private static final BigInteger HASHES = BigInteger.ONE.shiftLeft(126);

    public KeyRange {
        if (min.compareTo(max) >= 0) {
            throw new IllegalArgumentException("a key range must end after it begins, was " + min + " to " + max);
        }
    }

    /**
     * Cuts the whole key space into equal ranges that overlap nowhere and leave nothing out.
     *
     * @param count how many, at least 1
     */
    public static List<KeyRange> cut(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("the number of ranges must be at least 1, was " + count);
        }
        return IntStream.range(0, count)
                .mapToObj(i -> new KeyRange(bound(i, count), bound(i + 1, count)))
                .toList();
    }

    private static String bound(int index, int count) {
        if (index == 0) {
            return FIRST;
        }
        if (index == count) {
            return LAST;
        }
        var value = HASHES.multiply(BigInteger.valueOf(index)).divide(BigInteger.valueOf(count));
        return String.format(Locale.ROOT, "%0" + HEX_DIGITS + "X", value);
    }

    /** Short, for people and as a label: the first digits of its bounds, such as {@code 00000000-10000000}. */
    public String name() {
        return shortened(min) + "-" + shortened(max);
    }

    private static String shortened(String bound) {
        var padded = bound + "0".repeat(NAMED_DIGITS);
        return bound.equals(LAST) ? LAST : padded.substring(0, NAMED_DIGITS);
    }

    /** The part of the whole key space that it is, from 0 to 1. */
    public double share() {
        return share(max) - share(min);
    }

    private static double share(String bound) {
        var padded = (bound + "0".repeat(HEX_DIGITS)).substring(0, HEX_DIGITS);
        return Math.min(1, new BigInteger(padded, HEX).doubleValue() / HASHES.doubleValue());
    }

    /** Whether its bounds are written as the service writes them. */
    public boolean isOfKeySpace() {
        return BOUND.matcher(min).matches() && BOUND.matcher(max).matches();
    }

    /** Whether it is cut exactly into these ranges, two at least. */
    public boolean isMadeOf(Collection<KeyRange> parts) {
        var sorted = parts.stream().sorted(Comparator.comparing(KeyRange::min)).toList();
        int last = sorted.size() - 1;
        return last > 0
                && sorted.get(0).min.equals(min)
                && sorted.get(last).max.equals(max)
                && IntStream.range(0, last).allMatch(i -> sorted.get(i).max.equals(sorted.get(i + 1).min));
    }

    /** Whether they have a part in common. */
    public boolean overlaps(KeyRange other) {
        return min.compareTo(other.max) < 0 && other.min.compareTo(max) < 0;
    }

    /** The parts of the key space that none of these ranges has, in order; empty if they leave nothing out. */
    public static List<KeyRange> gaps(Collection<KeyRange> ranges) {
        var gaps = new ArrayList<KeyRange>();
        var from = FIRST;
        for (var range :
                ranges.stream().sorted(Comparator.comparing(KeyRange::min)).toList()) {
            if (from.compareTo(range.min) < 0) {
                gaps.add(new KeyRange(from, range.min));
            }
            from = from.compareTo(range.max) < 0 ? range.max : from;
        }
        if (from.compareTo(LAST) < 0) {
            gaps.add(new KeyRange(from, LAST));
        }
        return gaps;
    }

    /** A range of the SDK's. */
    static KeyRange of(FeedRange range) {
        try {
            var bounds = JSON.readTree(Base64.getUrlDecoder().decode(range.toString()))
                    .path("Range");
            return new KeyRange(bounds.path("min").asText(), bounds.path("max").asText());
        } catch (IOException e) {
            throw new IllegalStateException("the SDK's feed range is no JSON: " + range, e);
        }
    }

    /** The same range as the SDK takes it. */
    public FeedRange toFeedRange() {
        return FeedRange.fromString(
                Base64.getUrlEncoder().encodeToString(toJson().toString().getBytes(StandardCharsets.UTF_8)));
    }

    ObjectNode toJson() {
        var json = JsonNodeFactory.instance.objectNode();
        json.putObject("Range").put("min", min).put("max", max);
        return json;
    }
}
