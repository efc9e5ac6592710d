package io.sluice.relay.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far a key range was read: the value of a record of {@code <prefix>.positions}. It names its range, the number of
 * ranges and the container, because a continuation is valid for these only.
 *
 * @param schemaVersion 1
 * @param min lower bound of the range
 * @param max upper bound of the range
 * @param ranges the number of ranges of the key space
 * @param containerRid resource id of the container
 * @param continuation of the SDK; null when nothing was read yet
 * @param startMillis until the first page was read: earlier changes are skipped (milliseconds, the store's time); null
 *     to skip none
 * @param topicId Kafka's id of the history topic that has the events before this position; null in records of versions
 *     that did not name it
 * @param refused why no replica may continue here until an operator says where to; null for a valid position
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

        @JsonProperty("historyTopicId") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        String topicId,

        @JsonProperty("refused") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        String refused) {

    static final int SCHEMA_VERSION = 1;
    private static final List<String> FORM = List.of("schemaVersion", "min", "max", "ranges", "containerRid");
    private static final Logger LOG = LoggerFactory.getLogger(Position.class);
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** The position before the first page. */
    static Position beginning(RangeId id, @Nullable String topicId) {
        var bounds = id.bounds();
        return new Position(
                SCHEMA_VERSION, bounds.min(), bounds.max(), id.ranges(), id.containerRid(), null, null, topicId, null);
    }

    /** The position before the first page, which skips earlier changes. */
    Position since(Instant start) {
        return new Position(schemaVersion, min, max, ranges, containerRid, null, start.toEpochMilli(), topicId, null);
    }

    /** Reads the page after this position. */
    FeedPage read(PageReader reader) {
        return startMillis == null ? reader.read(continuation) : reader.readSince(Instant.ofEpochMilli(startMillis));
    }

    Position at(String next) {
        return new Position(schemaVersion, min, max, ranges, containerRid, next, null, topicId, null);
    }

    /** This position, marked as refused: once the store has grown beyond it, it would look valid again. */
    Position refusedFor(String why) {
        return new Position(schemaVersion, min, max, ranges, containerRid, continuation, startMillis, topicId, why);
    }

    boolean isRefused() {
        return refused != null;
    }

    /**
     * Makes sure that this is the position of that range.
     *
     * @throws PositionRefusedException when the number of ranges, the bounds or the container differ
     */
    void requireRange(RangeId id) throws PositionRefusedException {
        var expected = beginning(id, topicId);
        if (!at("").equals(expected.at(""))) {
            throw new PositionRefusedException("the position of range " + id.index() + " is of " + withoutContinuation()
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

    /** Reads the value of a record; empty when it has not the form of a position, of any version: others wrote it. */
    static Optional<Position> parse(byte[] value) {
        try {
            var json = JSON.readTree(value);
            return FORM.stream().allMatch(json::hasNonNull)
                    ? Optional.of(JSON.treeToValue(json, Position.class))
                    : Optional.empty();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("a record of the positions topic is no position");
            return Optional.empty();
        }
    }
}
