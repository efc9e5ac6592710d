package io.sluice.provider;

import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.json.Quoted;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatcher can run: the runtime versions that it can replay, and the orchestrations that it knows. Both must
 * suit. An empty list is compatible with nothing.
 *
 * @param supportedDuroxideVersions only the first range counts (the contract's first phase)
 * @param orchestrations every one unless said otherwise. An instance is judged by the name and version that it has, or
 *     that the message gives it which begins it, or its next execution; one whose name is not known suits everybody
 */
public record DispatcherCapabilityFilter(
        List<SemverRange> supportedDuroxideVersions, OrchestrationFilter orchestrations) {
    public DispatcherCapabilityFilter {
        supportedDuroxideVersions = List.copyOf(supportedDuroxideVersions);
        Objects.requireNonNull(orchestrations, "orchestrations");
    }

    /** Of every orchestration. */
    public DispatcherCapabilityFilter(List<SemverRange> supportedDuroxideVersions) {
        this(supportedDuroxideVersions, OrchestrationFilter.any());
    }

    /** The same, of these orchestrations. */
    public DispatcherCapabilityFilter withOrchestrations(OrchestrationFilter newOrchestrations) {
        return new DispatcherCapabilityFilter(supportedDuroxideVersions, newOrchestrations);
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

    /** Whether nothing at all may be fetched; a fetch does not touch the store then. */
    public boolean acceptsNothing() {
        return supportedDuroxideVersions.isEmpty()
                || (orchestrations instanceof OrchestrationFilter.Named named
                        && named.versions().isEmpty());
    }

    /**
     * The same in every process, and another one for each filter, since it names groups of processes; of a filter of
     * versions alone it names only these.
     */
    @Override
    public String toString() {
        String versions = supportedDuroxideVersions.stream()
                .map(range -> text(range.min()) + " to " + text(range.max()))
                .collect(Collectors.joining(", ", "DispatcherCapabilityFilter[supportedDuroxideVersions=[", "]"));
        return orchestrations instanceof OrchestrationFilter.Named named
                ? versions + ", orchestrations=" + text(named) + "]"
                : versions + "]";
    }

    private static String text(SemanticVersion version) {
        String release = version.major() + "." + version.minor() + "." + version.patch();
        return release
                + (version.preRelease().isEmpty() ? "" : "-" + Quoted.text(version.preRelease()))
                + (version.build().isEmpty() ? "" : "+" + Quoted.text(version.build()));
    }

    private static String text(OrchestrationFilter.Named named) {
        return named.versions().entrySet().stream()
                .map(entry -> Quoted.text(entry.getKey()) + "=" + Quoted.list(entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
