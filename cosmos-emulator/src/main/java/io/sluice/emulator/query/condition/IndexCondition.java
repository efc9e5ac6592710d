package io.sluice.emulator.query.condition;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.List;
import java.util.Optional;

/**
 * A condition that every item must meet which passes a filter: a value at a path lies in one of the ranges. Those that meet it need
 * not pass.
 *
 * @param path of the value
 * @param ranges none when nothing can pass
 */
public record IndexCondition(DocumentPath path, List<ValueRange> ranges) {
    /** Copies the ranges. */
    public IndexCondition {
        ranges = List.copyOf(ranges);
    }

    /** The one defined value that is demanded, empty when several would do. */
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
