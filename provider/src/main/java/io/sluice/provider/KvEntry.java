package io.sluice.provider;

import java.util.Objects;

/** A key's value and when it was last set, in milliseconds since the epoch. */
public record KvEntry(String value, long lastUpdatedAtMillis) {
    public KvEntry {
        Objects.requireNonNull(value, "value");
    }
}
