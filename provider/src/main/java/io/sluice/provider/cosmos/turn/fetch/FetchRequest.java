package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.cosmos.turn.work.TurnFilter;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a dispatcher asks for. */
record FetchRequest(Duration lockTimeout, TurnFilter filter) {
    static final String OPERATION = "fetchOrchestrationItem";
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** @param capabilities what the dispatcher can run; null for everything */
    static FetchRequest of(Duration lockTimeout, @Nullable DispatcherCapabilityFilter capabilities) {
        return new FetchRequest(lockTimeout, new TurnFilter(capabilities));
    }

    /** Whether the dispatcher can run nothing at all. */
    boolean isForNothing() {
        DispatcherCapabilityFilter capabilities = filter.capabilities();
        return capabilities != null && capabilities.acceptsNothing();
    }

    /** Whether the dispatcher takes the next turn of this instance. */
    boolean suits(@Nullable InstanceDocument head, List<QueueDocument> messages) {
        return filter.accepts(head, messages);
    }
}
