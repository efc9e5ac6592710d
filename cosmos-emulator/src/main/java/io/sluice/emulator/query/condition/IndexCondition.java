package io.sluice.emulator.query.condition;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.List;
import java.util.Optional;

/**
 * A necessary condition of a filter: every item that passes the filter has a value at a path in one of the ranges. An
 * item that meets the condition may still fail the filter.
 *
 * @param path of the value
 * @param ranges none when nothing can pass
 */
public record IndexCondition(DocumentPath path, List<ValueRange> ranges) {
    /** Copies the ranges. */
    public IndexCondition {
        ranges = List.copyOf(ranges);
    }

    /** The only value that meets the condition, empty when several do or it is undefined. */
    public Optional<JsonNode> onlyValue() {
        return ranges.size() == 1
                        && ranges.get(0) instanceof ValueRange.Point point
                        && !JsonValues.isUndefined(point.value())
                ? Optional.of(point.value())
                : Optional.empty();
    }

    /** True when both are one range of the same type of a property, so that they can be met as one. */
    boolean isNarrowedBy(IndexCondition other) {
        return path.equals(other.path)
                && !path.elements()
                && ranges.size() == 1
                && other.ranges.size() == 1
                && ranges.get(0) instanceof ValueRange.Bounded range
                && other.ranges.get(0) instanceof ValueRange.Bounded further
                && range.example().getNodeType() == further.example().getNodeType();
    }

    IndexCondition narrowed(IndexCondition other) {
        ValueRange.Bounded range = (ValueRange.Bounded) ranges.get(0);
        return new IndexCondition(path, List.of(range.narrowed((ValueRange.Bounded) other.ranges.get(0))));
    }
}
