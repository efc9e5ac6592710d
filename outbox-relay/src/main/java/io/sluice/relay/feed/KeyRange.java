package io.sluice.relay.feed;

import com.azure.cosmos.models.FeedRange;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
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
    private static final JsonMapper JSON = new JsonMapper();
    private static final String FIRST = "";
    private static final String LAST = "FF";
    private static final int HEX_DIGITS = 32;
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
