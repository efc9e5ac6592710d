package io.sluice.provider.world.judge;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * One document that a transaction changed.
 *
 * @param instance whose partition it is in
 * @param before null when it was not there
 * @param after null when it is gone
 */
public record Change(
        String instance,
        String id,
        @Nullable JsonNode before,
        @Nullable JsonNode after) {
    /** The version that there is, or was. */
    public JsonNode any() {
        var now = after;
        if (now != null) {
            return now;
        }
        var then = before;
        if (then == null) {
            throw new IllegalStateException("no version of " + id);
        }
        return then;
    }

    public boolean isCreated() {
        return before == null;
    }

    public boolean isRemoved() {
        return after == null;
    }

    public String type() {
        return any().path("type").asText();
    }

    /** The lock it had; null for none. */
    @Nullable
    public String tokenBefore() {
        return token(before);
    }

    /** The lock it has; null for none. */
    @Nullable
    public String tokenAfter() {
        return token(after);
    }

    /** Until when it was locked; 0 when it was not. */
    public long lockedUntilBefore() {
        return before == null ? 0 : before.path("lockedUntil").asLong();
    }

    private static @Nullable String token(@Nullable JsonNode version) {
        return version == null ? null : version.path("lockToken").textValue();
    }
}
