package io.sluice.provider;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which instances to show, and how; all conditions must hold.
 *
 * @param statuses of the current execution, see {@link ExecutionMetadata#STATUSES}; empty for any
 * @param ext conditions on what a host keeps along: its own status, the time of completion
 * @param createdFrom created then or later; null for any
 * @param createdTo created then or earlier; null for any
 * @param idPrefix what ids begin with; null for any
 * @param order by time of creation
 * @param withTexts whether to read outputs and custom statuses, which may be large; pages are then shorter
 */
public record InstanceQuery(
        Set<String> statuses,
        List<ExtCondition> ext,
        @Nullable Instant createdFrom,
        @Nullable Instant createdTo,
        @Nullable String idPrefix,
        Order order,
        boolean withTexts) {
    /** Which come first. Instances of one millisecond are ordered by id, ascending in both. */
    public enum Order {
        NEWEST_FIRST,
        OLDEST_FIRST
    }

    /** All instances, the newest first, without texts. */
    public static final InstanceQuery ALL =
            new InstanceQuery(Set.of(), List.of(), null, null, null, Order.NEWEST_FIRST, false);

    public InstanceQuery {
        statuses = Set.copyOf(statuses);
        statuses.forEach(ExecutionMetadata::requireStatus);
        ext = List.copyOf(ext);
        Objects.requireNonNull(order, "order");
    }

    /** The same, of these statuses. */
    public InstanceQuery withStatuses(Set<String> newStatuses) {
        return new InstanceQuery(newStatuses, ext, createdFrom, createdTo, idPrefix, order, withTexts);
    }

    /** The same, under these conditions on what a host keeps along. */
    public InstanceQuery withExt(List<ExtCondition> conditions) {
        return new InstanceQuery(statuses, conditions, createdFrom, createdTo, idPrefix, order, withTexts);
    }

    /** The same, created within these bounds, both included. */
    public InstanceQuery withCreated(@Nullable Instant from, @Nullable Instant to) {
        return new InstanceQuery(statuses, ext, from, to, idPrefix, order, withTexts);
    }

    /** The same, of ids that begin so. */
    public InstanceQuery withIdPrefix(@Nullable String prefix) {
        return new InstanceQuery(statuses, ext, createdFrom, createdTo, prefix, order, withTexts);
    }

    /** The same in this order. */
    public InstanceQuery withOrder(Order newOrder) {
        return new InstanceQuery(statuses, ext, createdFrom, createdTo, idPrefix, newOrder, withTexts);
    }

    /** The same, with or without outputs and custom statuses. */
    public InstanceQuery withTexts(boolean wanted) {
        return new InstanceQuery(statuses, ext, createdFrom, createdTo, idPrefix, order, wanted);
    }
}
