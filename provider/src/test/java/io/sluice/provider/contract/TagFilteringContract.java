package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.activityOf;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ContractItems.taggedActivity;
import static io.sluice.provider.contract.ProviderSteps.LONG;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Workers get the activities whose tags they serve, and leave the others untouched. */
public abstract class TagFilteringContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected TagFilteringContract(ContractStores stores) {
        super(stores);
    }

    private static final Duration LOCK = Duration.ofSeconds(5);
    private static final TagFilter UNTAGGED = TagFilter.defaultOnly();
    private static final TagFilter GPU = TagFilter.tags(Set.of("gpu"));

    @Test
    void test_default_only_fetches_untagged() {
        steps.act(taggedActivity("x", 1, null), taggedActivity("x", 2, "gpu"), taggedActivity("x", 3, null));

        take(UNTAGGED, 1);
        take(UNTAGGED, 3);
        nothingFor(UNTAGGED);
    }

    @Test
    void test_tags_fetches_only_matching() {
        steps.act(
                taggedActivity("x", 1, null),
                taggedActivity("x", 2, "gpu"),
                taggedActivity("x", 3, "cpu"),
                taggedActivity("x", 4, "gpu"));

        take(GPU, 2);
        take(GPU, 4);
        nothingFor(GPU);
    }

    @Test
    void test_default_and_fetches_untagged_and_matching() {
        TagFilter filter = TagFilter.defaultAnd(Set.of("gpu"));
        steps.act(taggedActivity("x", 1, null), taggedActivity("x", 2, "gpu"), taggedActivity("x", 3, "cpu"));

        take(filter, 1);
        take(filter, 2);
        nothingFor(filter);
    }

    @Test
    void test_none_filter_returns_nothing() {
        steps.act(taggedActivity("x", 1, null), taggedActivity("x", 2, "gpu"));

        nothingFor(TagFilter.none());
    }

    @Test
    void test_multi_tag_filter() {
        TagFilter filter = TagFilter.tags(Set.of("gpu", "tpu"));
        steps.act(
                taggedActivity("x", 1, "gpu"),
                taggedActivity("x", 2, "tpu"),
                taggedActivity("x", 3, "cpu"),
                taggedActivity("x", 4, null));

        assertThat(activityOf(take(filter, 1)).tag()).isEqualTo("gpu");
        assertThat(activityOf(take(filter, 2)).tag()).isEqualTo("tpu");
        nothingFor(filter);
    }

    @Test
    void test_tag_round_trip_preservation() {
        steps.act(taggedActivity("x", 1, "gpu"));

        WorkItem.ActivityExecute activity = activityOf(take(GPU, 1));

        assertThat(activity.tag()).isEqualTo("gpu");
        assertThat(activity.name()).isEqualTo("Activity1");
    }

    @Test
    void test_any_filter_fetches_everything() {
        steps.act(taggedActivity("a", 1, null), taggedActivity("b", 2, "gpu"), taggedActivity("c", 3, "cpu"));

        for (int i = 0; i < 3; i++) {
            steps.fetchWork(LOCK, null, TagFilter.any());
        }
        nothingFor(TagFilter.any());
    }

    @Test
    void test_tag_survives_abandon_and_refetch() {
        steps.act(taggedActivity("x", 1, "gpu"), taggedActivity("x", 2, null));
        LockedWorkItem first = take(GPU, 1);
        steps.abandon(first);

        LockedWorkItem second = take(GPU, 1);

        assertThat(activityOf(second).tag()).isEqualTo("gpu");
        assertThat(second.attemptCount()).isGreaterThanOrEqualTo(2);
        assertThat(second.lockToken()).isNotEqualTo(first.lockToken());
        take(UNTAGGED, 2);
    }

    @Test
    void test_multi_runtime_tag_isolation() {
        steps.act(
                taggedActivity("a", 1, null),
                taggedActivity("b", 2, "gpu"),
                taggedActivity("c", 3, "cpu"),
                taggedActivity("d", 4, "fpga"),
                taggedActivity("e", 5, "gpu"));
        TagFilter gpuOrCpu = TagFilter.tags(Set.of("gpu", "cpu"));
        TagFilter cpuOrFpga = TagFilter.tags(Set.of("cpu", "fpga"));

        take(LONG, UNTAGGED, 1);
        nothingFor(UNTAGGED);
        long second = activityOf(steps.fetchWork(LONG, null, gpuOrCpu)).id();
        long third = activityOf(steps.fetchWork(LONG, null, gpuOrCpu)).id();
        assertThat(List.of(second, third)).containsExactlyInAnyOrder(2L, 3L);
        take(LONG, cpuOrFpga, 4);
        nothingFor(cpuOrFpga);
        take(LONG, TagFilter.any(), 5);
        nothingFor(TagFilter.any());
    }

    @Test
    void test_tag_preserved_through_ack_orchestration_item() {
        steps.start("x");
        steps.ack(ackOf(steps.fetch(), started("x"))
                .withMetadata(META)
                .withWorkerItems(List.of(
                        new WorkItem.ActivityExecute("x", 1, 10, "GpuWork", "{}", null, "gpu"),
                        new WorkItem.ActivityExecute("x", 1, 11, "CpuWork", "{}", null, null))));

        LockedWorkItem untagged = take(LONG, UNTAGGED, 11);
        assertThat(activityOf(untagged).name()).isEqualTo("CpuWork");
        steps.drop(untagged);
        nothingFor(UNTAGGED);
        WorkItem.ActivityExecute tagged = activityOf(take(LONG, GPU, 10));

        assertThat(tagged.name()).isEqualTo("GpuWork");
        assertThat(tagged.tag()).isEqualTo("gpu");
    }

    private LockedWorkItem take(TagFilter filter, long id) {
        return take(LOCK, filter, id);
    }

    private LockedWorkItem take(Duration lock, TagFilter filter, long id) {
        LockedWorkItem work = steps.fetchWork(lock, null, filter);
        assertThat(activityOf(work).id()).as("the activity for %s", filter).isEqualTo(id);
        return work;
    }

    private void nothingFor(TagFilter filter) {
        assertThat(steps.tryWork(LOCK, null, filter))
                .as("an activity for %s", filter)
                .isEmpty();
    }
}
