package io.sluice.examples.runtime;

import io.sluice.provider.history.SemanticVersion;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The code that a runtime knows: orchestrations by name and version, activities by name. Thread-safe. */
public final class Registry {
    private static final String FIRST_VERSION = "1.0.0";

    private final Map<String, NavigableMap<SemanticVersion, Orchestration>> orchestrations = new ConcurrentHashMap<>();
    private final Map<String, String> defaultVersions = new ConcurrentHashMap<>();
    private final Map<String, Activity> activities = new ConcurrentHashMap<>();

    /** Creates an empty registry. */
    public Registry() {}

    /** Adds version 1.0.0 of an orchestration. */
    public Registry orchestration(String name, Orchestration orchestration) {
        return orchestration(name, FIRST_VERSION, orchestration);
    }

    /** Adds a version of an orchestration. */
    public Registry orchestration(String name, String version, Orchestration orchestration) {
        orchestrations
                .computeIfAbsent(name, any -> new ConcurrentSkipListMap<>())
                .put(SemanticVersion.parse(version), orchestration);
        return this;
    }

    /** Gives starts that name no version this one from now on, instead of the latest. */
    public Registry setDefaultVersion(String name, String version) {
        defaultVersions.put(name, version);
        return this;
    }

    /** Adds an activity. */
    public Registry activity(String name, Activity activity) {
        activities.put(name, activity);
        return this;
    }

    /** The version that a start gets: as asked, else the default, else the latest; 1.0.0 for an unknown name. */
    String versionFor(String name, @Nullable String asked) {
        if (asked != null) {
            return asked;
        }
        String byDefault = defaultVersions.get(name);
        NavigableMap<SemanticVersion, Orchestration> versions = orchestrations.get(name);
        if (byDefault != null || versions == null) {
            return byDefault == null ? FIRST_VERSION : byDefault;
        }
        SemanticVersion latest = versions.lastKey();
        return latest.major() + "." + latest.minor() + "." + latest.patch();
    }

    Optional<Orchestration> findOrchestration(String name, String version) {
        return Optional.ofNullable(orchestrations.get(name))
                .map(versions -> versions.get(SemanticVersion.parse(version)));
    }

    Optional<Activity> findActivity(String name) {
        return Optional.ofNullable(activities.get(name));
    }
}
