package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.worker.WorkFilter;
import io.sluice.provider.OrchestrationFilter;
import io.sluice.provider.TagFilter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** What workers take, as a provider is asked for it. */
final class ProviderFilters {
    private ProviderFilters() {}

    /** By name and version. */
    static OrchestrationFilter orchestrations(WorkFilter filter) {
        Map<String, Set<String>> versions = filter.versionsByName();
        return versions == null ? OrchestrationFilter.any() : OrchestrationFilter.named(versions);
    }

    /**
     * By name, which is the tag of a host's activities; the version is judged afterwards. With more names, or
     * longer ones, than a provider takes everything is fetched.
     */
    static TagFilter activities(WorkFilter filter) {
        Map<String, Set<String>> versions = filter.versionsByName();
        if (versions == null || isTooMuch(versions.keySet())) {
            return TagFilter.any();
        }
        return versions.isEmpty() ? TagFilter.none() : TagFilter.manyTags(versions.keySet());
    }

    private static boolean isTooMuch(Set<String> names) {
        return names.size() > TagFilter.MAX_MANY_TAGS
                || names.stream()
                                .mapToLong(name -> name.getBytes(StandardCharsets.UTF_8).length)
                                .sum()
                        > TagFilter.MAX_MANY_BYTES;
    }
}
