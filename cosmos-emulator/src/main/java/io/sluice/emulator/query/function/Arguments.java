package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.time.Instant;
import java.util.List;

/** The values a function was called with, and the time its query began. */
record Arguments(List<JsonNode> values, Instant now) {

    int size() {
        return values.size();
    }

    /** The value at this place; undefined when it was not given. */
    JsonNode at(int place) {
        return place < values.size() ? values.get(place) : JsonValues.UNDEFINED;
    }

    boolean isGiven(int place) {
        return place < values.size();
    }

    boolean isText(int place) {
        return at(place).isTextual();
    }

    boolean areText(int first, int second) {
        return isText(first) && isText(second);
    }

    boolean areAllText() {
        return values.stream().allMatch(JsonNode::isTextual);
    }

    String text(int place) {
        return at(place).textValue();
    }

    boolean isNumber(int place) {
        return at(place).isNumber();
    }

    double number(int place) {
        return at(place).doubleValue();
    }

    /** True for a number without a fraction. */
    boolean isWhole(int place) {
        return isNumber(place) && JsonValues.isWhole(at(place));
    }

    long whole(int place) {
        return at(place).longValue();
    }
}
