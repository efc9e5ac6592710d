package io.sluice.provider;

import io.sluice.provider.json.Surrogates;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A wish for a new instance.
 *
 * @param item the instance's first message
 * @param ext what is kept along with the instance from its start on; null for nothing
 * @param delay how long the instance waits for its first turn, from now; null and less than zero for not at all
 * @param trace where in a distributed trace the start belongs; null for nowhere
 * @param requestId the caller's name for this wish, unique among what is ever asked of this instance: a start that is
 *     repeated under it within seven days is recognised as the same one
 */
public record InstanceStart(
        WorkItem.StartOrchestration item,
        @Nullable InstanceExt ext,
        @Nullable Duration delay,
        @Nullable TraceContext trace,
        String requestId) {
    public InstanceStart {
        Objects.requireNonNull(item, "item");
        if (Objects.requireNonNull(requestId, "requestId").isEmpty()) {
            throw new IllegalArgumentException("requestId must not be empty");
        }
        Surrogates.refuse("requestId", requestId);
    }

    /** A start at once, under a new random {@code requestId}: repeat this object, not another one of the same item. */
    public static InstanceStart of(WorkItem.StartOrchestration item) {
        return new InstanceStart(item, null, null, null, UUID.randomUUID().toString());
    }

    /** The same with this kept along. */
    public InstanceStart withExt(@Nullable InstanceExt newExt) {
        return new InstanceStart(item, newExt, delay, trace, requestId);
    }

    /** The same, later. */
    public InstanceStart withDelay(@Nullable Duration newDelay) {
        return new InstanceStart(item, ext, newDelay, trace, requestId);
    }

    /** The same in this trace. */
    public InstanceStart withTrace(@Nullable TraceContext newTrace) {
        return new InstanceStart(item, ext, delay, newTrace, requestId);
    }

    /** The same under the caller's own name, which outlives the caller's process. */
    public InstanceStart withRequestId(String newRequestId) {
        return new InstanceStart(item, ext, delay, trace, newRequestId);
    }

    /** The instance that is to start. */
    public String instanceId() {
        return item.routedInstance();
    }
}
