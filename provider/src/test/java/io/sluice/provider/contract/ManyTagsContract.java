package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.taggedActivity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.TagFilter;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A worker may name more tags than the contract's filters take. */
public abstract class ManyTagsContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected ManyTagsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_many_tags_fetch_only_matching() {
        TagFilter filter = TagFilter.manyTags(names(0, 100));
        steps.act(
                taggedActivity("x", 1, null),
                taggedActivity("x", 2, "name-7"),
                taggedActivity("x", 3, "name-100"),
                taggedActivity("x", 4, "name-99"));

        assertThat(steps.drain(ProviderSteps.LONG, null, filter)).containsExactly(2L, 4L);
        assertThat(steps.drain(ProviderSteps.LONG, null, TagFilter.any())).containsExactly(1L, 3L);
    }

    @Test
    void test_default_and_many_tags_fetch_untagged_and_matching() {
        TagFilter filter = TagFilter.defaultAndMany(names(0, TagFilter.MAX_MANY_TAGS));
        steps.act(taggedActivity("x", 1, null), taggedActivity("x", 2, "other"), taggedActivity("x", 3, "name-999"));

        assertThat(steps.drain(ProviderSteps.LONG, null, filter)).containsExactly(1L, 3L);
    }

    @Test
    void test_many_tags_are_limited() {
        assertThatThrownBy(() -> TagFilter.manyTags(Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("had 0");
        assertThatThrownBy(() -> TagFilter.manyTags(names(0, 1_001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1000")
                .hasMessageContaining("1001");
        assertThatThrownBy(() -> TagFilter.defaultAndMany(
                        Stream.of("a", "b").map(tag -> tag.repeat(33_000)).collect(Collectors.toSet())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536")
                .hasMessageContaining("66000");
    }

    private static Set<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "name-" + i).collect(Collectors.toSet());
    }
}
