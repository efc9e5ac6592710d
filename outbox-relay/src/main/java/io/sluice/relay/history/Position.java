package io.sluice.relay.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far a key range was read: the value of a record of {@code <prefix>.positions}. It names its range, the container
 * and the number of the topic's partitions, because a continuation is valid for these only.
 *
 * @param schemaVersion 2
 * @param min lower bound of the range
 * @param max upper bound of the range
 * @param partitions of the positions topic, by which it is known who owns the range
 * @param containerRid resource id of the container
 * @param continuation of the SDK; null when nothing was read yet
 * @param startMillis until the first page was read: earlier changes are skipped (milliseconds, the store's time); null
 *     to skip none
 * @param topicId Kafka's id of the history topic that has the events before this position; null if none was known
 * @param refused why no replica may continue here until an operator says where to; null for a valid position
 * @param ended whether the range was split: its parts are ranges from then on, and this one is none any more
 * @param trustedEnd where the feed ended when an operator said that this position holds though it is ahead of that end;
 *     null for all others
 */
record Position(
        @JsonProperty("schemaVersion") int schemaVersion,
        @JsonProperty("min") String min,
        @JsonProperty("max") String max,
        @JsonProperty("partitions") int partitions,
        @JsonProperty("containerRid") String containerRid,
        @JsonProperty("continuation") @Nullable String continuation,

        @JsonProperty("startMillis") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Long startMillis,

        @JsonProperty("historyTopicId") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        String topicId,

        @JsonProperty("refused") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        String refused,

        @JsonProperty("ended") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean ended,

        @JsonProperty("trustedEnd") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        String trustedEnd) {
    static final int SCHEMA_VERSION = 2;

    private static final List<String> FORM = List.of("schemaVersion", "min", "max", "partitions", "containerRid");
    private static final List<String> EARLIER_FORM = List.of("schemaVersion", "min", "max", "ranges", "containerRid");
    private static final Logger LOG = LoggerFactory.getLogger(Position.class);
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** The position before the first page. */
    static Position beginning(RangeId id, @Nullable String topicId) {
        var bounds = id.bounds();
        return new Position(
                SCHEMA_VERSION,
                bounds.min(),
                bounds.max(),
                id.partitions(),
                id.containerRid(),
                null,
                null,
                topicId,
                null,
                false,
                null);
    }

    /** The range that it is of. */
    RangeId range() {
        return new RangeId(bounds(), containerRid, partitions);
    }

    /** The range's part of the key space. */
    KeyRange bounds() {
        return new KeyRange(min, max);
    }

    /** The position before the first page, which skips earlier changes. */
    Position since(Instant start) {
        return with(null, start.toEpochMilli(), null, false);
    }

    /** Reads the page after this position. */
    FeedPage read(PageReader reader) {
        return startMillis == null
                ? reader.read(continuation, floor())
                : reader.readSince(Instant.ofEpochMilli(startMillis));
    }

    Position at(String next) {
        return with(next, null, null, false);
    }

    /** The position behind a page. One without documents does not show that the feed has outgrown its trusted end. */
    Position after(FeedPage page) {
        return page.isEmpty() && trustedEnd != null
                ? trusted(page.continuation(), trustedEnd)
                : at(page.continuation());
    }

    /** This position, no longer refused: it holds as long as the feed does not end before that end. */
    Position trustedFrom(String end) {
        return trusted(Objects.requireNonNull(continuation), end);
    }

    private Position trusted(String next, String end) {
        return new Position(schemaVersion, min, max, partitions, containerRid, next, null, topicId, null, false, end);
    }

    /** This position, as one of another history topic; a refusal for being ahead of the feed stays. */
    Position adoptedBy(String newTopicId) {
        return new Position(
                schemaVersion,
                min,
                max,
                partitions,
                containerRid,
                continuation,
                startMillis,
                newTopicId,
                FeedEndCheck.isReasonOf(this) ? refused : null,
                ended,
                trustedEnd);
    }

    /** The continuation before which the feed must not end; null if nothing was read. */
    @Nullable
    String floor() {
        return trustedEnd == null ? continuation : trustedEnd;
    }

    /** This position, marked as refused: once the store has grown beyond it, it would look valid again. */
    Position refusedFor(String why) {
        return with(continuation, startMillis, why, false);
    }

    /** The position of a part of the range, trusted as this one is: the part's feed has not ended before that end. */
    Position part(KeyRange bounds, String next) {
        return new Position(
                schemaVersion,
                bounds.min(),
                bounds.max(),
                partitions,
                containerRid,
                next,
                null,
                topicId,
                null,
                false,
                trustedEnd);
    }

    /** The last position of a range that was split: its parts go on. */
    Position end() {
        return with(continuation, startMillis, null, true);
    }

    private Position with(@Nullable String next, @Nullable Long start, @Nullable String why, boolean isLast) {
        return new Position(schemaVersion, min, max, partitions, containerRid, next, start, topicId, why, isLast, null);
    }

    boolean isRefused() {
        return refused != null;
    }

    /**
     * Makes sure that this is the position of that range.
     *
     * @throws PositionRefusedException when the bounds, the container or the number of partitions differ
     */
    void requireRange(RangeId id) throws PositionRefusedException {
        if (!range().equals(id) || schemaVersion != SCHEMA_VERSION) {
            throw new PositionRefusedException("the position of range " + id.name() + " is of " + words(range())
                    + ", schema " + schemaVersion + ", expected " + words(id) + ", schema " + SCHEMA_VERSION
                    + "; the positions topic got other partitions since, or was written for another container: use"
                    + " another prefix");
        }
    }

    private static String words(RangeId id) {
        return "[" + id.bounds().min() + ", " + id.bounds().max() + ") in container " + id.containerRid() + ", "
                + id.partitions() + " partitions";
    }

    /** The record that stores it. */
    ProducerRecord<byte[], byte[]> record(String topic) {
        var range = range();
        return new ProducerRecord<>(topic, range.partition(), range.recordKey(), encode());
    }

    byte[] encode() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the value of a record; empty when it has not the form of a position: others wrote it. */
    static Optional<Position> parse(byte[] value) {
        return read(value)
                .filter(json -> FORM.stream().allMatch(json::hasNonNull))
                .flatMap(Position::of);
    }

    /**
     * Reads the value of a record of an earlier release, whose ranges were a fixed number of equal parts.
     *
     * @param partitions of the positions topic now
     * @return empty when it has not that form
     */
    static Optional<Position> parseEarlier(byte[] value, int partitions) {
        return read(value)
                .filter(json -> EARLIER_FORM.stream().allMatch(json::hasNonNull))
                .flatMap(json -> of(
                        ((ObjectNode) json).put("schemaVersion", SCHEMA_VERSION).put("partitions", partitions)));
    }

    private static Optional<JsonNode> read(byte[] value) {
        try {
            return Optional.ofNullable(JSON.readTree(value)).filter(JsonNode::isObject);
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("a record of the positions topic is no position");
            return Optional.empty();
        }
    }

    private static Optional<Position> of(JsonNode json) {
        try {
            var position = JSON.treeToValue(json, Position.class);
            // Fails for bounds that are none.
            var bounds = position.bounds();
            return position.partitions() > 0 && bounds.isOfKeySpace() ? Optional.of(position) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            LOG.atDebug().setCause(e).log("a record of the positions topic is no position");
            return Optional.empty();
        }
    }
}
