package io.sluice.provider.history;

import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonFields;
import io.sluice.provider.json.JsonOutput;
import io.sluice.provider.json.JsonValue;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carried events in events and work items: an array of {@code [name, data]}. A {@link JsonFault} says what is wrong.
 */
public final class CarriedEventsJson {
    private CarriedEventsJson() {}

    /** Reads an optional list; null stands for absent and null. */
    public static @Nullable List<CarriedEvent> readNullable(JsonFields fields, String name) {
        JsonValue value = fields.nullable(name);
        return value == null ? null : read(value);
    }

    /** Reads a list that may be absent, which is empty, but not null. */
    public static List<CarriedEvent> readOrEmpty(JsonFields fields, String name) {
        return fields.has(name) ? read(fields.value(name)) : List.of();
    }

    private static List<CarriedEvent> read(JsonValue value) {
        return value.asList().stream().map(CarriedEventsJson::readOne).toList();
    }

    private static CarriedEvent readOne(JsonValue value) {
        List<JsonValue> pair = value.asList();
        if (pair.size() != 2) {
            throw value.fault("expected a name and data, found " + pair.size() + " elements");
        }
        return new CarriedEvent(pair.get(0).asString(), pair.get(1).asString());
    }

    /** Writes a list, empty or not. */
    public static void write(JsonOutput out, String name, List<CarriedEvent> events) throws IOException {
        out.array(name, array -> {
            for (CarriedEvent event : events) {
                array.pair(event.name(), event.data());
            }
        });
    }

    /** Writes a list unless there is none. */
    public static void writeIfPresent(JsonOutput out, String name, @Nullable List<CarriedEvent> events)
            throws IOException {
        if (events != null) {
            write(out, name, events);
        }
    }
}
