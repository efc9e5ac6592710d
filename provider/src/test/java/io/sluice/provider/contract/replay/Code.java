package io.sluice.provider.contract.replay;

import io.sluice.provider.history.SemanticVersion;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The orchestrations, by name and version, and activities a runtime knows. */
public final class Code {
    private static final String FIRST_VERSION = "1.0.0";

    private final Map<String, NavigableMap<SemanticVersion, Orchestration>> orchestrations = new ConcurrentHashMap<>();
    private final Map<String, String> policies = new ConcurrentHashMap<>();
    private final Map<String, Activity> activities = new ConcurrentHashMap<>();

    /** Adds version 1.0.0 of an orchestration. */
    public Code orchestration(String name, Orchestration orchestration) {
        return orchestration(name, FIRST_VERSION, orchestration);
    }

    /** Adds a version of an orchestration. */
    public Code orchestration(String name, String version, Orchestration orchestration) {
        orchestrations.computeIfAbsent(name, any -> new TreeMap<>()).put(SemanticVersion.parse(version), orchestration);
        return this;
    }

    /** Starts without a version get this one from now on, instead of the latest. */
    public Code startsAt(String name, String version) {
        policies.put(name, version);
        return this;
    }

    /** Adds an activity. */
    public Code activity(String name, Activity activity) {
        activities.put(name, activity);
        return this;
    }

    /**
     * The version that a start gets: the one it names, else the policy's, else the latest; 1.0.0 for an unknown name.
     */
    String versionFor(String name, @Nullable String asked) {
        if (asked != null) {
            return asked;
        }
        String policy = policies.get(name);
        if (policy != null) {
            return policy;
        }
        NavigableMap<SemanticVersion, Orchestration> versions = orchestrations.get(name);
        if (versions == null) {
            return FIRST_VERSION;
        }
        SemanticVersion last = versions.lastKey();
        return last.major() + "." + last.minor() + "." + last.patch();
    }

    Optional<Orchestration> find(String name, String version) {
        return Optional.ofNullable(orchestrations.get(name))
                .map(versions -> versions.get(SemanticVersion.parse(version)));
    }

    @Nullable
    Activity activity(String name) {
        return activities.get(name);
    }
}
