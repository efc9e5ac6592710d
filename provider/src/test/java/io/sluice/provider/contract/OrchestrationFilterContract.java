package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.signal;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ContractItems.versions;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A dispatcher that names its orchestrations is given their turns; those of others stay unlocked, for others. */
public abstract class OrchestrationFilterContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected OrchestrationFilterContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_names_take_their_instances_and_leave_others_unlocked() {
        running("a", "A", "1");
        running("b", "B", "1");

        LockedTurn second = steps.fetch(of("B"));
        steps.fetchNothing(of("B"));
        LockedTurn first = steps.fetch(of("A"));

        assertThat(second.item().instance()).isEqualTo("b");
        assertThat(first.item().instance()).isEqualTo("a");
        assertThat(first.attemptCount()).isEqualTo(1);
    }

    @Test
    void test_names_judge_a_start_by_what_it_starts() {
        steps.enqueue(start("a", "A", "1"));
        steps.enqueue(start("b", "B", null));

        LockedTurn turn = steps.fetch(of("B"));
        steps.fetchNothing(of("B", "C"));

        assertThat(turn.item().instance()).isEqualTo("b");
        assertThat(steps.fetch(of("A")).attemptCount()).isEqualTo(1);
    }

    @Test
    void test_names_judge_a_unique_start_by_what_it_starts() {
        store().starts(provider()).startInstance(InstanceStart.of(start("a", "A", "1")));

        steps.fetchNothing(of("B"));

        LockedTurn turn = steps.fetch(of("A"));
        assertThat(turn.item().messages()).hasSize(1);
        assertThat(turn.attemptCount()).isEqualTo(1);
    }

    @Test
    void test_versions_of_a_name_take_these_versions_only() {
        running("one", "A", "1");
        running("two", "A", "2");
        steps.enqueue(start("without", "A", null));

        steps.fetchNothing(of(Map.of("A", Set.of("3"), "B", Set.of())));
        LockedTurn two = steps.fetch(of(Map.of("A", Set.of("2", "3"))));
        LockedTurn without = steps.fetch(of(Map.of("A", Set.of(""))));
        LockedTurn one = steps.fetch(of("A"));

        assertThat(List.of(two, without, one))
                .extracting(turn -> turn.item().instance())
                .containsExactly("two", "without", "one");
    }

    @Test
    void test_names_and_runtime_versions_have_to_suit_both() {
        DispatcherCapabilityFilter ofOne = versions("1.0.0", "1.9.9").withOrchestrations(named("A"));
        steps.enqueue(start("a", "A", "1"));
        steps.ack(ackOf(steps.fetchOf("a"), started("a"))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration("A", "1")
                        .withPinnedVersion(SemanticVersion.of(1, 2, 3))));
        steps.poke("a");

        steps.fetchNothing(versions("2.0.0", "2.9.9").withOrchestrations(named("A")));
        steps.fetchNothing(versions("1.0.0", "1.9.9").withOrchestrations(named("B")));

        assertThat(steps.fetch(ofOne).item().instance()).isEqualTo("a");
    }

    @Test
    void test_no_names_take_nothing() {
        running("a", "A", "1");

        steps.fetchNothing(of(Map.of()));
    }

    @Test
    void test_next_execution_is_judged_by_the_message_that_begins_it() {
        running("a", "A", "1");
        steps.ack(ackOf(steps.fetchOf("a"))
                .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", null))
                .withOrchestratorItems(
                        List.of(new WorkItem.ContinueAsNew("a", "A", "{}", "2", null, null, null, List.of(), null))));

        steps.fetchNothing(of(Map.of("A", Set.of("1"))));
        LockedTurn turn = steps.fetch(of(Map.of("A", Set.of("2"))));

        steps.ack(TurnAck.of(turn.lockToken(), 2)
                .withHistory(List.of(started("a", 2)))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("A", "2")));
        steps.poke("a");
        steps.fetchNothing(of(Map.of("A", Set.of("1"))));
        steps.fetch(of(Map.of("A", Set.of("2"))));
    }

    @Test
    void test_finished_instance_is_judged_by_a_new_start() {
        steps.enqueue(start("a", "A", "1"));
        steps.ack(ackOf(steps.fetchOf("a"), started("a"))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("A", "1").withStatus("Failed", "no")));
        steps.poke("a");
        steps.abandonIgnoringAttempt(steps.fetch(of(Map.of("A", Set.of("1")))));

        steps.enqueue(start("a", "A", "2"));

        steps.fetchNothing(of(Map.of("A", Set.of("1"))));
        assertThat(steps.fetch(of(Map.of("A", Set.of("2")))).item().messages()).hasSize(2);
    }

    @Test
    void test_messages_without_a_start_wait_whatever_is_named() {
        steps.enqueue(signal("a", "early"));

        steps.fetchNothing(of("A"));
        steps.enqueue(start("a", "A", "1"));

        assertThat(steps.fetch(of("A")).item().messages()).hasSize(2);
    }

    @Test
    void test_many_of_other_names_hide_none_that_is_named() {
        IntStream.range(0, 12).forEach(i -> steps.enqueue(start("start-" + i, "B", "1")));
        IntStream.range(0, 6)
                .forEach(i -> store().starts(provider()).startInstance(InstanceStart.of(start("once-" + i, "B", "1"))));
        steps.enqueue(start("a", "A", "1"));

        assertThat(steps.fetch(of("A")).item().instance()).isEqualTo("a");
        steps.fetchNothing(of("A"));

        Set<String> others = new HashSet<>();
        for (int i = 0; i < 18; i++) {
            LockedTurn turn = steps.fetch(of("B"));
            assertThat(turn.attemptCount()).isEqualTo(1);
            others.add(turn.item().instance());
        }
        assertThat(others).hasSize(18);
    }

    /** An instance that had its first turn, and has a signal. */
    private void running(String instance, String name, String version) {
        steps.enqueue(start(instance, name, version));
        LockedTurn turn = steps.fetch(of(Map.of(name, Set.of(version))));
        assertThat(turn.item().instance()).isEqualTo(instance);
        steps.ack(ackOf(turn, started(instance)).withMetadata(ExecutionMetadata.NONE.withOrchestration(name, version)));
        steps.poke(instance);
    }

    private static WorkItem.StartOrchestration start(String instance, String name, @Nullable String version) {
        return new WorkItem.StartOrchestration(instance, name, "{}", version, null, null, null, 1);
    }

    private static DispatcherCapabilityFilter of(String... names) {
        return versions("0.0.0", "99.0.0").withOrchestrations(named(names));
    }

    private static DispatcherCapabilityFilter of(Map<String, Set<String>> byName) {
        return versions("0.0.0", "99.0.0").withOrchestrations(OrchestrationFilter.named(byName));
    }

    private static OrchestrationFilter named(String... names) {
        Map<String, Set<String>> all = new HashMap<>();
        for (String name : names) {
            all.put(name, Set.of());
        }
        return OrchestrationFilter.named(all);
    }
}
