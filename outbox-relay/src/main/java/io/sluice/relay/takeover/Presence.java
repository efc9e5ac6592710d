package io.sluice.relay.takeover;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.relay.feed.KeyRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * That a replica lives: the value of a record of {@code <prefix>.relays}, whose key is the replica's name.
 *
 * @param schemaVersion 1
 * @param ranges whose new intents the replica looks for
 */
record Presence(
        @JsonProperty("schemaVersion") int schemaVersion,
        @JsonProperty("ranges") List<Bounds> ranges) {
    private static final int SCHEMA_VERSION = 1;
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** The bounds of a range, as {@link KeyRange} has them. */
    record Bounds(
            @JsonProperty("min") String min,
            @JsonProperty("max") String max) {}

    Presence {
        ranges = ranges == null ? List.of() : List.copyOf(ranges);
    }

    /** Of a replica that looks for the intents of these ranges. */
    static Presence of(Collection<KeyRange> ranges) {
        return new Presence(
                SCHEMA_VERSION,
                ranges.stream()
                        .sorted(KeyRange.ORDER)
                        .map(range -> new Bounds(range.min(), range.max()))
                        .toList());
    }

    /** The ranges that it names. */
    List<KeyRange> keyRanges() {
        return ranges.stream().map(each -> new KeyRange(each.min(), each.max())).toList();
    }

    byte[] toJson() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a record says; empty if it is none of this version: somebody else wrote it. */
    static Optional<Presence> fromJson(byte @Nullable [] json) {
        if (json == null) {
            return Optional.empty();
        }
        try {
            var presence = JSON.readValue(json, Presence.class);
            return presence != null && presence.schemaVersion == SCHEMA_VERSION && presence.isValid()
                    ? Optional.of(presence)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private boolean isValid() {
        return ranges.stream()
                .allMatch(each -> each.min() != null
                        && each.max() != null
                        && each.min().compareTo(each.max()) < 0
                        && new KeyRange(each.min(), each.max()).isOfKeySpace());
    }
}
