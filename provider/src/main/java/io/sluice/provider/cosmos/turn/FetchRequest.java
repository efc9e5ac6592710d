package io.sluice.provider.cosmos.turn;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.history.SemanticVersion;
import java.time.Duration;
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
        return filter != null && filter.supportedDuroxideVersions().isEmpty();
    }

    /** Whether the dispatcher runs what the instance is pinned to. */
    boolean suits(InstanceDocument instance) {
        return suits(filter, instance.pinnedVersionPacked());
    }

    /** Whether a dispatcher with this filter may take an instance that is pinned to this version; null for none. */
    static boolean suits(@Nullable DispatcherCapabilityFilter filter, @Nullable Long pinnedVersionPacked) {
        return filter == null
                || filter.accepts(pinnedVersionPacked == null ? null : SemanticVersion.fromPacked(pinnedVersionPacked));
    }
}
