package io.sluice.client.lifecycle;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.OptBoolean;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One fact of one instance, the value of the topic {@code <prefix>.lifecycle}. In order per instance, each once.
 *
 * @param id the same when the fact is published again; two facts of one history event have two
 * @param event the history event it comes from, counting from 1 in each execution
 * @param time when the runtime made that event
 * @param orchestration null when the start of the execution was not seen
 * @param version of the orchestration; null likewise
 * @param parent null for a root
 * @param correlation the instance at the head of the family as far as it is known: the parent, else the instance
 *     itself; or what the command that started it gave
 */
public record LifecycleEvent(
        String id,
        String instance,
        long execution,
        long event,
        Instant time,
        @Nullable String orchestration,
        @Nullable String version,
        @Nullable Parent parent,
        String correlation,

        @JsonTypeInfo(
                use = JsonTypeInfo.Id.NAME,
                include = JsonTypeInfo.As.EXTERNAL_PROPERTY,
                property = "type",
                requireTypeIdForSubtypes = OptBoolean.TRUE)
        Fact fact) {
    public LifecycleEvent {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(correlation, "correlation");
        Objects.requireNonNull(fact, "fact");
    }
}
