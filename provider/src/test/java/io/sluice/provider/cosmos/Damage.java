package io.sluice.provider.cosmos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import java.util.stream.Stream;

/** A field of a queue document and what somebody put there; as JSON, empty where the field is missing. */
record Damage(String field, String json) {
    ObjectNode done(ObjectNode document) {
        if (json.isEmpty()) {
            document.remove(field);
        } else {
            document.set(field, DocumentJson.parse("{\"v\":" + json + "}").get("v"));
        }
        return document;
    }

    @Override
    public String toString() {
        return field + " = " + (json.isEmpty() ? "nothing" : json);
    }

    static Stream<Damage> ofMessages() {
        return Stream.of(
                new Damage("attemptCount", "1e20"),
                new Damage("attemptCount", "null"),
                new Damage("attemptCount", "\"3\""),
                new Damage("attemptCount", "{}"),
                new Damage("visibleAt", "-1e20"),
                new Damage("visibleAt", "\"now\""),
                new Damage("visibleAt", ""),
                new Damage("enqueuedAt", "1e300"),
                new Damage("enqueuedAt", "-1e300"),
                new Damage("enqueuedAt", "\"2025-01-01\""),
                new Damage("enqueuedAt", "null"),
                new Damage("enqueuedAt", ""),
                new Damage("instanceId", "5"),
                new Damage("instanceId", "true"),
                new Damage("instanceId", "null"),
                new Damage("lockedUntil", "\"never\""),
                new Damage("lockedUntil", "-1e20"),
                new Damage("dispatchSlot", "1e20"));
    }

    static Stream<Damage> ofActivities() {
        return Stream.concat(
                ofMessages(),
                Stream.of(
                        new Damage("executionId", "1e20"),
                        new Damage("activityId", "\"two\""),
                        new Damage("sessionId", "7"),
                        new Damage("tag", "[]")));
    }
}
