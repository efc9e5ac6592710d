package io.sluice.provider;

import io.sluice.provider.history.SemanticVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runtime versions a dispatcher can replay. An empty list is compatible with nothing.
 *
 * @param supportedDuroxideVersions only the first range counts (the contract's first phase)
 */
public record DispatcherCapabilityFilter(List<SemverRange> supportedDuroxideVersions) {
    public DispatcherCapabilityFilter {
        supportedDuroxideVersions = List.copyOf(supportedDuroxideVersions);
    }

    /**
     * Whether an execution pinned to this version may be fetched; one without a pin always may, unless the list is
     * empty.
     */
    public boolean accepts(@Nullable SemanticVersion pinned) {
        if (supportedDuroxideVersions.isEmpty()) {
            return false;
        }
        return pinned == null || supportedDuroxideVersions.get(0).contains(pinned);
    }
}
