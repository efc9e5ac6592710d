package io.sluice.provider.cosmos.turn;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.OrchestrationFilter;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.history.SemanticVersion;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatcher asks for.
 *
 * @param filter what the dispatcher can run; null for everything
 */
record FetchRequest(Duration lockTimeout, @Nullable DispatcherCapabilityFilter filter) {
    static final String OPERATION = "fetchOrchestrationItem";
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Whether the dispatcher can run nothing at all. */
    boolean isForNothing() {
        return filter != null && filter.acceptsNothing();
    }

    /**
     * Whether the dispatcher runs what the instance is pinned to, and what its next turn would run. Where that is a
     * start of which the content is not known, the partition has to be read first: it then does not.
     *
     * @param instance null when it is not stored yet
     */
    boolean suits(@Nullable InstanceDocument instance, List<QueueDocument> messages) {
        return (instance == null || suits(filter, instance.pinnedVersionPacked()))
                && (filter == null || runs(filter.orchestrations(), instance, messages));
    }

    private static boolean runs(
            OrchestrationFilter wanted, @Nullable InstanceDocument instance, List<QueueDocument> messages) {
        if (wanted instanceof OrchestrationFilter.Any) {
            return true;
        }
        if (Messages.beginsAnother(instance, messages)) {
            Messages.Start start = Messages.firstStart(messages);
            return start != null && wanted.accepts(start.name(), Objects.requireNonNullElse(start.version(), ""));
        }
        return instance == null
                || instance.orchestrationName().isEmpty()
                || wanted.accepts(instance.orchestrationName(), instance.orchestrationVersion());
    }

    /** Whether a dispatcher with this filter may take an instance that is pinned to this version; null for none. */
    static boolean suits(@Nullable DispatcherCapabilityFilter filter, @Nullable Long pinnedVersionPacked) {
        return filter == null
                || filter.accepts(pinnedVersionPacked == null ? null : SemanticVersion.fromPacked(pinnedVersionPacked));
    }
}
