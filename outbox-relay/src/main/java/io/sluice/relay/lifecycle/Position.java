package io.sluice.relay.lifecycle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a key range was read: the value of a record of {@code <prefix>.positions}. It says of what it is the
 * position, because a continuation means nothing for another range, another cut or another container.
 *
 * @param schemaVersion 1
 * @param min lower bound of the range
 * @param max upper bound of the range
 * @param ranges into how many ranges the key space was cut
 * @param containerRid resource id of the container
 * @param continuation the SDK's, null when nothing was read yet
 * @param startMillis while nothing was read: what was changed before (milliseconds, the store's time) is passed over; null for nothing
 * @param refused why nobody goes on from here until an operator says where to; null while all is well
 */
record Position(
        @JsonProperty("schemaVersion") int schemaVersion,
        @JsonProperty("min") String min,
        @JsonProperty("max") String max,
        @JsonProperty("ranges") int ranges,
        @JsonProperty("containerRid") String containerRid,
        @JsonProperty("continuation") @Nullable String continuation,

        @JsonProperty("startMillis") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Long startMillis,

        @JsonProperty("refused") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        String refused) {

    static final int SCHEMA_VERSION = 1;
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** The position of somebody who has read nothing. */
    static Position beginning(RangeId id) {
        return new Position(
                SCHEMA_VERSION, id.bounds().min(), id.bounds().max(), id.ranges(), id.containerRid(), null, null, null);
    }

    /** The position of somebody who has read nothing and passes over what was changed before. */
    Position since(Instant start) {
        return new Position(schemaVersion, min, max, ranges, containerRid, null, start.toEpochMilli(), null);
    }

    /** Reads the page after it. */
    FeedPage read(PageReader reader) {
        return startMillis == null ? reader.read(continuation) : reader.readSince(Instant.ofEpochMilli(startMillis));
    }

    Position at(String next) {
        return new Position(schemaVersion, min, max, ranges, containerRid, next, null, null);
    }

    /** The same position, from which nobody goes on: the store may grow beyond it, and it would look sound again. */
    Position refusedFor(String why) {
        return new Position(schemaVersion, min, max, ranges, containerRid, continuation, startMillis, why);
    }

    boolean isRefused() {
        return refused != null;
    }

    /**
     * Makes sure that this is the position of that range.
     *
     * @throws PositionRefused when it is of another cut, other bounds or another container
     */
    void mustBeOf(RangeId id) throws PositionRefused {
        var expected = beginning(id);
        if (!at("").equals(expected.at(""))) {
            throw new PositionRefused("the position of range " + id.index() + " is of " + withoutContinuation()
                    + ", expected " + expected.withoutContinuation()
                    + "; this container was read under this topic prefix with another layout, or is another one: "
                    + "use another prefix");
        }
    }

    private String withoutContinuation() {
        return "[" + min + ", " + max + ") of " + ranges + " in container " + containerRid + ", schema "
                + schemaVersion;
    }

    byte[] encode() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Position decode(byte[] value) throws PositionRefused {
        try {
            return JSON.readValue(value, Position.class);
        } catch (IOException e) {
            throw new PositionRefused("a record of the positions topic can't be read: " + e.getMessage());
        }
    }
}
