package io.sluice.emulator.query.condition;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A range of values in the order of the query language, with its bounds. */
public sealed interface ValueRange {
    /** One value; undefined stands for the items that have none. */
    record Point(JsonNode value) implements ValueRange {}

    /** The strings with a prefix. */
    record StartsWith(String text) implements ValueRange {}

    /**
     * Values of one type.
     *
     * @param low the least, null for the least of the type of the other
     * @param high the greatest, null for the greatest of the type of the other; one of both is there
     */
    record Bounded(@Nullable JsonNode low, @Nullable JsonNode high) implements ValueRange {
        /** One of the bounds: a value of the type. */
        public JsonNode example() {
            return low == null ? Objects.requireNonNull(high) : low;
        }

        /** What lies in both, which are of one type. */
        Bounded narrowed(Bounded other) {
            return new Bounded(further(low, other.low, 1), further(high, other.high, -1));
        }

        private static @Nullable JsonNode further(@Nullable JsonNode one, @Nullable JsonNode other, int sign) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return sign * JsonValues.ORDER.compare(one, other) >= 0 ? one : other;
        }
    }
}
