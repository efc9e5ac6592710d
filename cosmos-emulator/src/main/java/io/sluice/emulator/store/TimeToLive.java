package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.item.StoredItem;
import org.jspecify.annotations.Nullable;

/**
 * When items expire: by their own {@code ttl}, or by the container's default; never when the container has no default.
 */
final class TimeToLive {
    private static final int NEVER = -1;

    private TimeToLive() {}

    /** Whether an item has expired. Its own value counts only in a container that has a default. */
    static boolean isExpired(StoredItem item, @Nullable Integer defaultSeconds, long nowSeconds) {
        if (defaultSeconds == null) {
            return false;
        }
        var own = item.ttlSeconds();
        int seconds = own == null ? defaultSeconds : own;
        return seconds != NEVER && nowSeconds >= item.timestampSeconds() + seconds;
    }

    /**
     * A document's own time to live, null when it has none.
     *
     * @throws StatusException 400 when it is JSON null, or neither -1 nor a positive number of seconds
     */
    static @Nullable Integer of(ObjectNode document) {
        if (document.path("ttl").isNull()) {
            throw invalid("ttl", document.path("ttl"));
        }
        return check("ttl", document.path("ttl"));
    }

    /**
     * A container's default, null when time to live is off.
     *
     * @throws StatusException 400 when it is neither -1 nor a positive number of seconds
     */
    static @Nullable Integer defaultOf(ObjectNode container) {
        return check("defaultTtl", container.path("defaultTtl"));
    }

    private static @Nullable Integer check(String name, JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        boolean valid = value.isIntegralNumber()
                && value.canConvertToInt()
                && (value.intValue() > 0 || value.intValue() == NEVER);
        if (!valid) {
            throw invalid(name, value);
        }
        return value.intValue();
    }

    private static StatusException invalid(String name, JsonNode value) {
        return StatusException.badRequest("The input " + name + " '" + value
                + "' is invalid. Ensure to provide a nonzero positive integer less than or equal to"
                + " '2147483647', or -1");
    }
}
