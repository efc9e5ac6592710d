package io.sluice.provider;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects instances for bulk operations; all conditions must hold.
 *
 * @param instanceIds null selects all; an empty list selects nothing
 * @param completedBeforeMillis completed earlier than this moment; null for any
 * @param limit most instances to select; null means {@value #DEFAULT_LIMIT}
 */
public record InstanceFilter(
        @Nullable List<String> instanceIds,
        @Nullable Long completedBeforeMillis,
        @Nullable Integer limit) {
    /** Limit where none is given. */
    public static final int DEFAULT_LIMIT = 1_000;

    /** Selects every instance, up to the default limit. */
    public static final InstanceFilter ALL = new InstanceFilter(null, null, null);

    public InstanceFilter {
        if (instanceIds != null) {
            instanceIds = List.copyOf(instanceIds);
        }
        if (limit != null && limit < 0) {
            throw new IllegalArgumentException("limit must not be negative, was " + limit);
        }
    }

    /** Selects among these instances. */
    public static InstanceFilter of(List<String> instanceIds) {
        return new InstanceFilter(instanceIds, null, null);
    }

    /** The limit that applies. */
    public int effectiveLimit() {
        return limit == null ? DEFAULT_LIMIT : limit;
    }
}
