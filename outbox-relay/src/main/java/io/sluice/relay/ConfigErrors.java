package io.sluice.relay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects everything that is wrong with a configuration, so that it can be reported at once. Not thread-safe. */
final class ConfigErrors {
    private final List<String> found = new ArrayList<>();

    void add(String key, @Nullable String what) {
        found.add(key + " " + what);
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new RelayConfigException(found);
        }
    }
}
