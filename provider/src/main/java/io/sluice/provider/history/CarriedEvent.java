package io.sluice.provider.history;

import java.util.Objects;

/**
 * An external event that arrived in one execution and is handed to the next one.
 *
 * @param name the event's name
 * @param data its payload
 */
public record CarriedEvent(String name, String data) {
    public CarriedEvent {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(data, "data");
    }
}
