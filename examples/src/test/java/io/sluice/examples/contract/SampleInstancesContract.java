package io.sluice.examples.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.runtime.Registry;
import io.sluice.examples.runtime.Step;
import io.sluice.provider.contract.ContractStores;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Several instances and several executions end to end: children, detached starts, continue-as-new, versions and
 * cancellation.
 */
public abstract class SampleInstancesContract extends EndToEndScenarios {
    /** Runs the category on stores from there. */
    protected SampleInstancesContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void sample_sub_orchestration_basic_fs() {
        Registry code = new Registry()
                .activity("Upper", UPPER)
                .orchestration(
                        "ChildUpper",
                        (context, input) -> context.activity("Upper", input).await())
                .orchestration(
                        "Parent",
                        (context, input) -> "parent:"
                                + context.subOrchestration("ChildUpper", null, input)
                                        .await());

        assertThat(outputOf(code, "Parent", "hi")).isEqualTo("parent:HI");
    }

    @Test
    void sample_sub_orchestration_fanout_fs() {
        Registry code = new Registry()
                .activity(
                        "Add",
                        item -> Integer.toString(List.of(item.input().split(",")).stream()
                                .mapToInt(Integer::parseInt)
                                .sum()))
                .orchestration(
                        "ChildSum",
                        (context, input) -> context.activity("Add", input).await())
                .orchestration("Parent", (context, input) -> {
                    List<Step> children = List.of(
                            context.subOrchestration("ChildSum", null, "1,2"),
                            context.subOrchestration("ChildSum", null, "3,4"));
                    return "total="
                            + context.awaitAll(children).stream()
                                    .mapToInt(Integer::parseInt)
                                    .sum();
                });

        assertThat(outputOf(code, "Parent", "")).isEqualTo("total=10");
    }

    @Test
    void sample_sub_orchestration_chained_fs() {
        Registry code = new Registry()
                .activity("Append", item -> item.input() + "x")
                .orchestration(
                        "Leaf",
                        (context, input) -> context.activity("Append", input).await())
                .orchestration(
                        "Mid",
                        (context, input) ->
                                context.subOrchestration("Leaf", null, input).await() + "-mid")
                .orchestration(
                        "Root",
                        (context, input) -> "root:"
                                + context.subOrchestration("Mid", null, input).await());

        assertThat(outputOf(code, "Root", "a")).isEqualTo("root:ax-mid");
    }

    @Test
    void sample_detached_orchestration_scheduling_fs() {
        Registry code = new Registry()
                .activity("Echo", com -> com.input())
                .orchestration("Chained", (context, input) -> {
                    context.timer(Duration.ofMillis(5)).await();
                    return context.activity("Echo", input).await();
                })
                .orchestration("Coordinator", (context, input) -> {
                    context.startDetached("W1", "Chained", "A");
                    context.startDetached("W2", "Chained", "B");
                    return "scheduled";
                });
        client.start("x", "Coordinator", "");

        during(code, CONFIG, () -> {
            assertThat(client.output("x", SOON)).isEqualTo("scheduled");
            assertThat(client.output("W1", SOON)).isEqualTo("A");
            assertThat(client.output("W2", SOON)).isEqualTo("B");
        });
        assertThat(client.admin().getParentId("W1")).isEmpty();
    }

    @Test
    void sample_detached_then_activity_fs() {
        Registry code = new Registry()
                .activity("Echo", item -> item.input())
                .orchestration("Child", (context, input) -> {
                    context.timer(Duration.ofMillis(5)).await();
                    return input;
                })
                .orchestration("Parent", (context, input) -> {
                    context.startDetached("child", "Child", "child-payload");
                    return context.activity("Echo", "hello").await();
                });
        client.start("x", "Parent", "");

        during(code, CONFIG, () -> {
            assertThat(client.output("x", SOON)).isEqualTo("hello");
            assertThat(client.output("child", SOON)).isEqualTo("child-payload");
        });
    }

    @Test
    void sample_continue_as_new_fs() {
        Registry code = new Registry().orchestration("Counts", (context, input) -> {
            int count = Integer.parseInt(input);
            if (count < 3) {
                throw context.continueAsNew(Integer.toString(count + 1), null);
            }
            return "final:" + count;
        });

        client.start("x", "Counts", "0");
        during(code, CONFIG, () -> {
            client.await(
                    "the last execution",
                    SOON,
                    () -> client.info("x")
                            .filter(info -> info.status().equals("Completed"))
                            .isPresent());
            assertThat(client.output("x", SOON)).isEqualTo("final:3");
        });

        assertThat(client.admin().listExecutions("x")).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void sample_versioning_start_latest_vs_exact_fs() {
        Registry code = new Registry()
                .orchestration("Versioned", "1.0.0", (context, input) -> "v1")
                .orchestration("Versioned", "2.0.0", (context, input) -> "v2");
        client.start("latest", "Versioned", "");

        during(code, CONFIG, () -> {
            assertThat(client.output("latest", SOON)).isEqualTo("v2");
            code.setDefaultVersion("Versioned", "1.0.0");
            client.start("exact", "Versioned", "");
            assertThat(client.output("exact", SOON)).isEqualTo("v1");
        });
        assertThat(client.info("latest").orElseThrow().orchestrationVersion()).isEqualTo("2.0.0");
        assertThat(client.info("exact").orElseThrow().orchestrationVersion()).isEqualTo("1.0.0");
    }

    @Test
    void sample_versioning_sub_orchestration_explicit_vs_policy_fs() {
        Registry code = new Registry()
                .orchestration("Child", "1.0.0", (context, input) -> "c1")
                .orchestration("Child", "2.0.0", (context, input) -> "c2")
                .orchestration(
                        "Parent",
                        (context, input) -> context.subOrchestration("Child", "1.0.0", "")
                                        .await() + "-"
                                + context.subOrchestration("Child", null, "").await());

        assertThat(outputOf(code, "Parent", "")).isEqualTo("c1-c2");
    }

    @Test
    void sample_versioning_continue_as_new_upgrade_fs() {
        Registry code = new Registry()
                .orchestration("Upgrades", "1.0.0", (context, input) -> {
                    throw context.continueAsNew("v1:" + input, "2.0.0");
                })
                .orchestration("Upgrades", "2.0.0", (context, input) -> "upgraded:" + input)
                .setDefaultVersion("Upgrades", "1.0.0");

        assertThat(outputOf(code, "Upgrades", "state")).isEqualTo("upgraded:v1:state");
        assertThat(client.admin().listExecutions("x")).containsExactly(1L, 2L);
        assertThat(provider().readWithExecution("x", 1))
                .anyMatch(event -> event.kind() instanceof EventKind.OrchestrationContinuedAsNew);
        var second = (EventKind.OrchestrationStarted)
                provider().readWithExecution("x", 2).get(0).kind();
        assertThat(second.input()).isEqualTo("v1:state");
        assertThat(client.info("x").orElseThrow().orchestrationVersion()).isEqualTo("2.0.0");
    }

    @Test
    void sample_cancellation_parent_cascades_to_children_fs() {
        Registry code = new Registry()
                .orchestration(
                        "Child",
                        (context, input) -> context.externalEvent("Never").await())
                .orchestration(
                        "Parent",
                        (context, input) ->
                                context.subOrchestration("Child", null, "").await());
        client.start("x", "Parent", "");
        List<String> children = new ArrayList<>();

        during(code, CONFIG, () -> {
            client.await(
                    "the child",
                    SOON,
                    () -> client.admin().listInstances().stream().anyMatch(id -> id.startsWith("x::")));
            client.cancel("x", "user_request");
            assertThat(RaceSeeds.cancelReason(client.failure("x", SOON))).isEqualTo("user_request");
            children.addAll(client.admin().listChildren("x"));
            ErrorDetails failure = client.failure(children.get(0), SOON);
            assertThat(RaceSeeds.cancelReason(failure)).isEqualTo("parent canceled");
        });
        assertThat(children).hasSize(1);
        assertThat(eventsOf(children.get(0), EventKind.OrchestrationCancelRequested.class))
                .hasSize(1);
    }
}
