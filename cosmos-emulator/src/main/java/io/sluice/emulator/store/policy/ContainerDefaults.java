package io.sluice.emulator.store.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What the service adds to a container's properties where a client omits them, except for an indexing policy. */
public final class ContainerDefaults {
    /** The property that says how conflicts are resolved. */
    public static final String CONFLICTS = "conflictResolutionPolicy";

    private static final String KEY = "partitionKey";
    private static final String KIND = "kind";
    private static final String SPACE = "geospatialConfig";
    private static final String TYPE = "type";
    private static final String MODE = "mode";
    private static final String PATH = "conflictResolutionPath";
    private static final String PROCEDURE = "conflictResolutionProcedure";
    private static final String CUSTOM = "Custom";

    private ContainerDefaults() {}

    /** Adds them. A value that is no object stays as it is: these policies have no effect, and are not checked. */
    public static void addTo(ObjectNode body) {
        if (body.get(KEY) instanceof ObjectNode key) {
            putAbsent(key, KIND, "Hash");
        }
        if (isOmitted(body, SPACE)) {
            body.putObject(SPACE);
        }
        if (body.get(SPACE) instanceof ObjectNode space) {
            putAbsent(space, TYPE, "Geography");
        }
        if (isOmitted(body, CONFLICTS)) {
            body.putObject(CONFLICTS);
        }
        if (body.get(CONFLICTS) instanceof ObjectNode policy) {
            putAbsent(policy, MODE, "LastWriterWins");
            putAbsent(policy, PATH, policy.path(MODE).asText().equalsIgnoreCase(CUSTOM) ? "" : "/_ts");
            putAbsent(policy, PROCEDURE, "");
        }
    }

    /** Whether a property is absent or null. */
    public static boolean isOmitted(ObjectNode body, String property) {
        return !body.hasNonNull(property);
    }

    private static void putAbsent(ObjectNode described, String property, String value) {
        if (described.path(property).asText("").isEmpty()) {
            described.put(property, value);
        }
    }
}
