package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.contract.replay.Code;
import io.sluice.provider.contract.replay.OrchestrationContext.Step;
import io.sluice.provider.contract.replay.RuntimeOptions;
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
        Code code = new Code()
                .activity("Upper", UPPER)
                .orchestration(
                        "ChildUpper",
                        (context, input) -> context.activity("Upper", input).await())
                .orchestration(
                        "Parent",
                        (context, input) -> "parent:"
                                + context.child("ChildUpper", null, input).await());

        assertThat(outputOf(code, "Parent", "hi")).isEqualTo("parent:HI");
    }

    @Test
    void sample_sub_orchestration_fanout_fs() {
        Code code = new Code()
                .activity(
                        "Add",
                        item -> Integer.toString(List.of(item.input().split(",")).stream()
                                .mapToInt(Integer::parseInt)
                                .sum()))
                .orchestration(
                        "ChildSum",
                        (context, input) -> context.activity("Add", input).await())
                .orchestration("Parent", (context, input) -> {
                    List<Step> children =
                            List.of(context.child("ChildSum", null, "1,2"), context.child("ChildSum", null, "3,4"));
                    return "total="
                            + context.all(children).stream()
                                    .mapToInt(Integer::parseInt)
                                    .sum();
                });

        assertThat(outputOf(code, "Parent", "")).isEqualTo("total=10");
    }

    @Test
    void sample_sub_orchestration_chained_fs() {
        Code code = new Code()
                .activity("Append", item -> item.input() + "x")
                .orchestration(
                        "Leaf",
                        (context, input) -> context.activity("Append", input).await())
                .orchestration(
                        "Mid",
                        (context, input) -> context.child("Leaf", null, input).await() + "-mid")
                .orchestration(
                        "Root",
                        (context, input) ->
                                "root:" + context.child("Mid", null, input).await());

        assertThat(outputOf(code, "Root", "a")).isEqualTo("root:ax-mid");
    }

    @Test
    void sample_detached_orchestration_scheduling_fs() {
        Code code = new Code()
                .activity("Echo", com -> com.input())
                .orchestration("Chained", (context, input) -> {
                    context.timer(Duration.ofMillis(5)).await();
                    return context.activity("Echo", input).await();
                })
                .orchestration("Coordinator", (context, input) -> {
                    context.detached("W1", "Chained", "A");
                    context.detached("W2", "Chained", "B");
                    return "scheduled";
                });
        client.start("x", "Coordinator", "");

        during(code, RuntimeOptions.DEFAULT, () -> {
            assertThat(client.output("x", SOON)).isEqualTo("scheduled");
            assertThat(client.output("W1", SOON)).isEqualTo("A");
            assertThat(client.output("W2", SOON)).isEqualTo("B");
        });
        assertThat(client.admin().getParentId("W1")).isEmpty();
    }

    @Test
    void sample_detached_then_activity_fs() {
        Code code = new Code()
                .activity("Echo", item -> item.input())
                .orchestration("Child", (context, input) -> {
                    context.timer(Duration.ofMillis(5)).await();
                    return input;
                })
                .orchestration("Parent", (context, input) -> {
                    context.detached("child", "Child", "child-payload");
                    return context.activity("Echo", "hello").await();
                });
        client.start("x", "Parent", "");

        during(code, RuntimeOptions.DEFAULT, () -> {
            assertThat(client.output("x", SOON)).isEqualTo("hello");
            assertThat(client.output("child", SOON)).isEqualTo("child-payload");
        });
    }

    @Test
    void sample_continue_as_new_fs() {
        Code code = new Code().orchestration("Counts", (context, input) -> {
            int count = Integer.parseInt(input);
            if (count < 3) {
                throw context.continueAsNew(Integer.toString(count + 1), null);
            }
            return "final:" + count;
        });

        client.start("x", "Counts", "0");
        during(code, RuntimeOptions.DEFAULT, () -> {
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
        Code code = new Code()
                .orchestration("Versioned", "1.0.0", (context, input) -> "v1")
                .orchestration("Versioned", "2.0.0", (context, input) -> "v2");
        client.start("latest", "Versioned", "");

        during(code, RuntimeOptions.DEFAULT, () -> {
            assertThat(client.output("latest", SOON)).isEqualTo("v2");
            code.startsAt("Versioned", "1.0.0");
            client.start("exact", "Versioned", "");
            assertThat(client.output("exact", SOON)).isEqualTo("v1");
        });
        assertThat(client.info("latest").orElseThrow().orchestrationVersion()).isEqualTo("2.0.0");
        assertThat(client.info("exact").orElseThrow().orchestrationVersion()).isEqualTo("1.0.0");
    }

    @Test
    void sample_versioning_sub_orchestration_explicit_vs_policy_fs() {
        Code code = new Code()
                .orchestration("Child", "1.0.0", (context, input) -> "c1")
                .orchestration("Child", "2.0.0", (context, input) -> "c2")
                .orchestration(
                        "Parent",
                        (context, input) -> context.child("Child", "1.0.0", "").await() + "-"
                                + context.child("Child", null, "").await());

        assertThat(outputOf(code, "Parent", "")).isEqualTo("c1-c2");
    }

    @Test
    void sample_versioning_continue_as_new_upgrade_fs() {
        Code code = new Code()
                .orchestration("Upgrades", "1.0.0", (context, input) -> {
                    throw context.continueAsNew("v1:" + input, "2.0.0");
                })
                .orchestration("Upgrades", "2.0.0", (context, input) -> "upgraded:" + input)
                .startsAt("Upgrades", "1.0.0");

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
        Code code = new Code()
                .orchestration(
                        "Child", (context, input) -> context.event("Never").await())
                .orchestration(
                        "Parent",
                        (context, input) -> context.child("Child", null, "").await());
        client.start("x", "Parent", "");
        List<String> children = new ArrayList<>();

        during(code, RuntimeOptions.DEFAULT, () -> {
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
