package io.sluice.examples.durabletask.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.Failure;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.Counts;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.client.lifecycle.Parent;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.RaiseEventRequest;
import io.sluice.durabletask.wire.Protocol.ResumeRequest;
import io.sluice.durabletask.wire.Protocol.SuspendRequest;
import io.sluice.durabletask.wire.Protocol.TerminateRequest;
import io.sluice.durabletask.wire.Wire;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** What a relay publishes of a host's orchestrations, without a line by their authors. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class LifecycleIT extends RelayedHubTest {
    private List<String> facts(String instance) {
        return published.lifecycle(instance).stream()
                .map(event -> event.fact().type())
                .toList();
    }

    private void awaitFact(String instance, String type) {
        await().atMost(PATIENCE).until(() -> facts(instance).contains(type));
    }

    private void suspend(String instance, String reason) {
        var unused = host.client()
                .suspendInstance(SuspendRequest.newBuilder()
                        .setInstanceId(instance)
                        .setReason(Wire.text(reason))
                        .build());
    }

    private void resume(String instance) {
        var unused = host.client()
                .resumeInstance(
                        ResumeRequest.newBuilder().setInstanceId(instance).build());
    }

    private void raise(String instance, String name) {
        var unused = host.client()
                .raiseEvent(RaiseEventRequest.newBuilder()
                        .setInstanceId(instance)
                        .setName(name)
                        .setInput(Wire.text("\"yes\""))
                        .build());
    }

    @Test
    void each_step_of_an_orchestration_is_a_fact_once_and_in_order() {
        host.start("order-1", "Order", "\"first\"");
        awaitFact("order-1", "sub-orchestration-completed");
        suspend("order-1", "audit");
        awaitFact("order-1", "suspended");
        assertThat(published.status("order-1").map(InstanceStatus::state)).contains(State.RUNNING);
        raise("order-1", "approval");
        awaitFact("order-1", "external-event-received");
        resume("order-1");
        host.awaitEnd("order-1");
        awaitFact("order-1", "completed");

        assertThat(facts("order-1"))
                .containsExactly(
                        "created",
                        "started",
                        "activity-scheduled",
                        "activity-completed",
                        "timer-created",
                        "timer-fired",
                        "sub-orchestration-started",
                        "sub-orchestration-completed",
                        "suspended",
                        "external-event-received",
                        "resumed",
                        "continued-as-new",
                        "started",
                        "completed");
        assertThat(published.lifecycle("order-1"))
                .extracting(LifecycleEvent::fact)
                .contains(
                        new Fact.ActivityScheduled("charge", "charge"),
                        new Fact.SubOrchestrationStarted("order-1-pack", "Pack", false),
                        new Fact.Suspended("audit"),
                        new Fact.ExternalEventReceived("approval", false),
                        new Fact.Resumed(""));
        assertThat(facts("order-1-pack")).containsExactly("created", "started", "completed");
        assertThat(published.lifecycle("order-1-pack")).allSatisfy(event -> {
            assertThat(event.parent()).isEqualTo(new Parent("order-1", 1L, 6L));
            assertThat(event.correlation()).isEqualTo("order-1");
            assertThat(event.orchestration()).isEqualTo("Pack");
        });
        assertThat(published.status("order-1")).hasValueSatisfying(status -> {
            assertThat(status.state()).isEqualTo(State.COMPLETED);
            assertThat(status.output()).isEqualTo("{\"shipped\":true}");
            assertThat(status.execution()).isEqualTo(2);
            assertThat(status.activities()).isEqualTo(new Counts(1, 1, 0));
            assertThat(status.subOrchestrations()).isEqualTo(new Counts(1, 1, 0));
        });
        await().atMost(PATIENCE).untilAsserted(this::assertOrdersAreCounted);
        assertThat(published.deadLetters()).isZero();
    }

    private void assertOrdersAreCounted() {
        List<OrchestrationStatistics> windows = published.statistics("Order");
        assertThat(sum(windows, OrchestrationStatistics::started)).isEqualTo(2);
        assertThat(sum(windows, OrchestrationStatistics::continuedAsNew)).isEqualTo(1);
        assertThat(sum(windows, OrchestrationStatistics::completed)).isEqualTo(1);
    }

    private static long sum(List<OrchestrationStatistics> windows, ToLongFunction<OrchestrationStatistics> count) {
        return windows.stream().mapToLong(count).sum();
    }

    @Test
    void a_termination_and_a_failure_are_told_as_what_they_are() {
        host.start("late", "Wait", "1");
        host.start("sold-out", "Fail", "1");
        awaitFact("late", "started");
        var unused = host.client()
                .terminateInstance(TerminateRequest.newBuilder()
                        .setInstanceId("late")
                        .setOutput(Wire.text("\"too late\""))
                        .build());

        assertThat(host.awaitEnd("late").getOrchestrationStatus())
                .isEqualTo(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED);
        awaitFact("late", "cancelled");
        awaitFact("sold-out", "failed");
        assertThat(facts("late")).containsExactly("created", "started", "cancel-requested", "cancelled");
        assertThat(published.lifecycle("late"))
                .extracting(LifecycleEvent::fact)
                .contains(new Fact.CancelRequested("\"too late\""))
                .last()
                .isInstanceOfSatisfying(
                        Fact.Cancelled.class,
                        cancelled -> assertThat(cancelled.reason()).isEqualTo("\"too late\""));
        assertThat(published.status("late").map(InstanceStatus::state)).contains(State.CANCELLED);
        assertThat(facts("sold-out")).containsExactly("created", "started", "failed");
        assertThat(published.status("sold-out")).hasValueSatisfying(status -> {
            assertThat(status.state()).isEqualTo(State.FAILED);
            assertThat(status.failure()).isEqualTo(new Failure("application", "no stock", true));
        });
    }

    @Test
    void an_instance_that_waits_is_told_as_stuck_until_it_moves() {
        host.start("waiting", "Wait", "1");

        await().atMost(PATIENCE).until(() -> published.stuck("waiting").isPresent());
        assertThat(published.stuck("waiting"))
                .hasValueSatisfying(stuck -> assertThat(stuck.orchestration()).isEqualTo("Wait"));
        raise("waiting", "told");
        await().atMost(PATIENCE).until(() -> published.stuck("waiting").isEmpty());
        awaitFact("waiting", "completed");
    }

    @Test
    void a_purge_by_a_host_that_was_told_of_no_relay_reaches_the_topics() {
        host.start("order-9", "Order", "\"first\"");
        awaitFact("order-9", "sub-orchestration-completed");
        raise("order-9", "approval");
        host.awaitEnd("order-9");
        awaitFact("order-9", "completed");
        RunningHost other = hub.hostThatKnowsOfNoRelay();

        var purged = other.client()
                .purgeInstances(PurgeInstancesRequest.newBuilder()
                        .setInstanceId("order-9")
                        .build());

        assertThat(purged.getDeletedInstanceCount()).isEqualTo(1);
        awaitFact("order-9", "deleted");
        await().atMost(PATIENCE).until(() -> published.status("order-9").isEmpty());
    }
}
