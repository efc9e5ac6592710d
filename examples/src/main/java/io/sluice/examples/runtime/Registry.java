package io.sluice.examples.runtime;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The code a runtime can run, by name. */
public record Registry(Map<String, Orchestration> orchestrations, Map<String, Activity> activities) {
    /** Version recorded for every orchestration; this runtime keeps one version of each. */
    public static final String VERSION = "1.0.0";

    public Registry {
        orchestrations = Map.copyOf(orchestrations);
        activities = Map.copyOf(activities);
    }

    Optional<Orchestration> orchestration(String name) {
        return Optional.ofNullable(orchestrations.get(name));
    }

    @Nullable
    Activity activity(String name) {
        return activities.get(name);
    }
}
