package io.sluice.provider.history;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.Objects;

/**
 * An external event that arrived in one execution and is handed to the next one.
 *
 * @param name the event's name
 * @param data its payload
 */
@JsonFormat(shape = JsonFormat.Shape.ARRAY)
public record CarriedEvent(String name, String data) {
    public CarriedEvent {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(data, "data");
    }
}
