package io.sluice.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.history.SemanticVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DispatcherCapabilityFilterTest {
    private static final SemanticVersion ONE = SemanticVersion.of(1, 0, 0);

    /** Processes whose filters have one text share a group, and what one does not run is lost to the others. */
    @Test
    void different_filters_have_different_texts() {
        List<DispatcherCapabilityFilter> filters = List.of(
                named(Map.of("a", Set.of(), "b", Set.of())),
                named(Map.of("a=[], b", Set.of())),
                named(Map.of("a\"=[], \"b", Set.of())),
                named(Map.of("a\\\"=[], \\\"b", Set.of())),
                named(Map.of("a", Set.of("1", "2"))),
                named(Map.of("a", Set.of("1, 2"))),
                named(Map.of("a", Set.of(""))),
                named(Map.of("a", Set.of())),
                named(Map.of()),
                named(Map.of("", Set.of())),
                upTo(ONE),
                upTo(new SemanticVersion(1, 0, 0, "b", "c")),
                upTo(new SemanticVersion(1, 0, 0, "b+c", "")),
                upTo(new SemanticVersion(1, 0, 0, "", "b-c")),
                new DispatcherCapabilityFilter(List.of()));

        assertThat(filters.stream().distinct()).as("they differ").hasSize(filters.size());
        assertThat(filters.stream().map(DispatcherCapabilityFilter::toString)).doesNotHaveDuplicates();
    }

    @Test
    void equal_filters_have_one_text_whatever_the_order() {
        assertThat(Stream.of(List.of("a", "b", "c"), List.of("c", "b", "a"))
                        .map(names -> upTo(ONE)
                                .withOrchestrations(OrchestrationFilter.named(Map.of("x", Set.copyOf(names))))
                                .toString()))
                .containsOnly("DispatcherCapabilityFilter[supportedDuroxideVersions=[1.0.0 to 1.0.0],"
                        + " orchestrations={\"x\"=[\"a\", \"b\", \"c\"]}]");
    }

    private static DispatcherCapabilityFilter named(Map<String, Set<String>> versions) {
        return upTo(ONE).withOrchestrations(OrchestrationFilter.named(versions));
    }

    private static DispatcherCapabilityFilter upTo(SemanticVersion max) {
        return new DispatcherCapabilityFilter(List.of(new SemverRange(ONE, max)));
    }
}
