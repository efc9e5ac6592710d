package io.sluice.relay.feed;

import com.azure.core.util.CoreUtils;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The log sequence numbers in a continuation of the SDK, by part of a key range. Used only to compare two
 * continuations: a store that was restored in place, or lost its last writes in a failover, continues with lower
 * numbers under the same resource id, and a reader that continued from the higher one would miss the next writes.
 *
 * @param parts without overlap; one per physical partition
 */
record FeedContinuation(List<Part> parts) {
    /** The azure-cosmos whose form of a continuation is known; it is no interface, and may change with each version. */
    static final String KNOWN_SDK = "4.83.0";

    private static final String SDK_PROPERTIES = "azure-cosmos.properties";
    private static final JsonMapper JSON = new JsonMapper();
    private static final String CONTINUATION = "Continuation";
    private static final String QUOTE = "\"";

    FeedContinuation {
        parts = List.copyOf(parts);
    }

    /**
     * A part of the key space.
     *
     * @param lsn log sequence number up to which it was read; 0 if it was not read
     */
    record Part(String min, String max, long lsn) {
        private boolean overlaps(Part other) {
            return min.compareTo(other.max) < 0 && other.min.compareTo(max) < 0;
        }
    }

    /**
     * Parses a continuation of the SDK.
     *
     * @throws IllegalStateException if it has an unknown form
     */
    static FeedContinuation parse(String continuation) {
        try {
            var parts = new ArrayList<Part>();
            tokens(tree(continuation)).forEach(token -> parts.add(part(token)));
            return new FeedContinuation(parts);
        } catch (IOException | IllegalArgumentException e) {
            throw unknownForm(e);
        }
    }

    private static JsonNode tree(String continuation) throws IOException {
        return JSON.readTree(Base64.getUrlDecoder().decode(continuation));
    }

    /** Of each part of the key space. */
    private static JsonNode tokens(JsonNode whole) {
        var tokens = whole.path(CONTINUATION).path(CONTINUATION);
        if (tokens.isEmpty()) {
            throw new IllegalArgumentException("it names no part of the key space");
        }
        return tokens;
    }

    private static IllegalStateException unknownForm(Exception cause) {
        var present = CoreUtils.getProperties(SDK_PROPERTIES).getOrDefault("version", "of an unknown version");
        return new IllegalStateException(
                "a continuation of the change feed has an unknown form (" + cause.getMessage() + "): azure-cosmos "
                        + present + " is on the class path, and this release knows the form of " + KNOWN_SDK
                        + "; put that version there. Positions stay where they are: nothing is lost or published twice",
                cause);
    }

    /**
     * Continuations of its parts, each of which reads that part alone: what comes behind the page that had this
     * continuation, and where a part was not read yet, what the whole has not read.
     *
     * @return by the parts' ranges, in the order of the key space; empty if the service has not split the range
     * @throws IllegalStateException if it has an unknown form
     */
    static SortedMap<KeyRange, String> split(String continuation) {
        try {
            var parts = new TreeMap<KeyRange, String>(Comparator.comparing(KeyRange::min));
            var whole = tree(continuation);
            var tokens = tokens(whole);
            if (tokens.size() < 2) {
                return parts;
            }
            for (var token : tokens) {
                var range = range(token);
                var part = (ObjectNode) whole.deepCopy();
                ((ObjectNode) part.path(CONTINUATION)).set("Range", range);
                ((ObjectNode) part.path(CONTINUATION)).putArray(CONTINUATION).add(token);
                parts.put(
                        new KeyRange(
                                range.path("min").asText(), range.path("max").asText()),
                        Base64.getUrlEncoder().encodeToString(JSON.writeValueAsBytes(part)));
            }
            return parts;
        } catch (IOException | IllegalArgumentException | ClassCastException e) {
            throw unknownForm(e);
        }
    }

    /** Without its bounds a part would overlap no other, and never be found ahead. */
    private static JsonNode range(JsonNode token) {
        var range = token.path("range");
        if (!range.path("min").isTextual() || !range.path("max").isTextual()) {
            throw new IllegalArgumentException("a part of the key space has no bounds");
        }
        return range;
    }

    private static Part part(JsonNode json) {
        var token = json.path("token").asText("").replace(QUOTE, "");
        var range = range(json);
        return new Part(
                range.path("min").asText(),
                range.path("max").asText(),
                json.path("token").isTextual() ? Long.parseLong(token) : 0);
    }

    /**
     * Where it is ahead of another one, in words; empty if it is not. A part that was split is compared with each of
     * its children, which continue from its number; merged parts are each compared with the merged part, which
     * continues from the highest number.
     */
    Optional<String> aheadOf(FeedContinuation end) {
        for (var part : parts) {
            for (var other : end.parts) {
                if (part.overlaps(other) && part.lsn > other.lsn) {
                    return Optional.of("read up to " + part.lsn + " in [" + part.min + ", " + part.max
                            + "), where the feed ends at " + other.lsn);
                }
            }
        }
        return Optional.empty();
    }

    /** Whether a response came from a replica of the store that ends before this; the token is the response's. */
    boolean isBeyond(String sessionToken) {
        return parts.size() == 1 && lsn(sessionToken) < parts.get(0).lsn();
    }

    /**
     * The number in {@code <range>:<version>#<lsn>#<region>=<lsn>} or {@code <range>:<lsn>}; the largest possible
     * number for any other form.
     */
    private static long lsn(String sessionToken) {
        var pieces = sessionToken.substring(sessionToken.indexOf(':') + 1).split("#", -1);
        try {
            return Long.parseLong(pieces.length == 1 ? pieces[0] : pieces[1]);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
