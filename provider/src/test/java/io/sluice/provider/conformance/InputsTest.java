package io.sluice.provider.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.TagFilter;
import io.sluice.provider.contract.ContractItems;
import io.sluice.provider.contract.ContractStore;
import io.sluice.provider.contract.inputs.GivenInputs;
import io.sluice.provider.contract.inputs.NotedCalls;
import io.sluice.provider.model.ReferenceContractStores;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is noted of a provider's inputs, and what the page makes of it. */
class InputsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ContractStore store = new ReferenceContractStores().open();
    private final GivenInputs inputs = new GivenInputs();
    private final Provider provider = NotedCalls.of(Provider.class, store.provider(), inputs);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void calls_are_noted_once_and_sorted_whatever_came_first() {
        provider.enqueueForOrchestrator(ContractItems.start("x"), Duration.ofMillis(1_500));
        provider.fetchWorkItem(LONG, Duration.ofSeconds(1), null, TagFilter.tags(Set.of("gpu", "cpu")));
        provider.fetchWorkItem(LONG, Duration.ofMillis(100), null, TagFilter.defaultOnly());
        provider.fetchWorkItem(Duration.ofMinutes(2), Duration.ZERO, null, TagFilter.defaultOnly());
        provider.fetchOrchestrationItem(LONG, Duration.ZERO, ContractItems.versions("1.0.0", "1.9.9"));
        provider.fetchOrchestrationItem(LONG, Duration.ZERO, null);

        assertThat(inputs)
                .hasToString("activity: lock 30 s/2 min, poll 0 s/100 ms/1 s, tags cpu + gpu/untagged;"
                        + " message: delay 1500 ms; turn: lock 30 s, poll 0 s, versions 1.0.0–1.9.9/every");
    }

    @Test
    void admin_operations_are_noted_and_failures_come_as_they_are() {
        assertThatThrownBy(() -> provider.asManagementCapability()
                        .orElseThrow()
                        .pruneExecutions("unknown", PruneOptions.keepLast(2)))
                .isInstanceOf(ProviderException.class);

        assertThat(inputs).hasToString("prune: keep 2");
    }

    @Test
    void a_text_reads_back_as_the_inputs_it_tells_of() {
        String text =
                "activity: lock 30 s, tags any/cpu + gpu/untagged; turn: versions 1.0.0–1.5.0 + 3.0.0–3.5.0/every";

        assertThat(GivenInputs.parse(text)).hasToString(text);
    }

    @Test
    void what_duroxide_gives_and_a_scenario_does_not_needs_a_reason() {
        Outcome given = new Outcome("passed", GivenInputs.parse("turn: lock 30 s, poll 300 ms"));
        Map<Backend, Map<String, Outcome>> run = Map.of(Backend.ANNOUNCED, Map.of("test_a", given, "test_b", given));

        var columns = new InputColumns(
                run,
                OriginalInputs.of(
                        "test_a,\"turn: lock 30 s, poll 0 s\"", "test_b,\"turn: poll 0 s\",\"for a reason\""));

        assertThat(columns.unexplained()).containsExactly("test_a: turn: poll 0 s");
        assertThat(columns.original("test_b")).isEqualTo("turn: poll 0 s<br>**not here: turn: poll 0 s** for a reason");
    }

    @Test
    void a_scenario_run_with_several_parameters_has_the_worst_result_and_all_inputs() {
        Outcome passed = new Outcome("passed", GivenInputs.parse("turn: poll 0 s"));
        Outcome failed = new Outcome("failed", GivenInputs.parse("turn: poll 1 s"));

        assertThat(failed.and(passed).toLine()).isEqualTo("failed,\"turn: poll 0 s/1 s\"");
    }
}
