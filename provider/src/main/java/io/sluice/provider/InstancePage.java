package io.sluice.provider;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the instances that a query is for.
 *
 * @param instances in the order of the query; may be fewer than were asked for although more follow
 * @param continuation what to ask for the next page with; null when there is none
 */
public record InstancePage(
        List<InstanceSummary> instances, @Nullable String continuation) {
    public InstancePage {
        instances = List.copyOf(instances);
    }
}
