package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;
import static io.sluice.durabletask.wire.Protocol.OrchestrationStatus.ORCHESTRATION_STATUS_PENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status.Code;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.dispatch.DispatchTiming;
import io.sluice.durabletask.hub.HubSettings;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks of what workers have in hand: kept as long as they have it, and nothing is written once they are lost. */
@Order(1)
class LocksIT {
    private static final Duration LOCK = Duration.ofSeconds(3);
    private static final HubSettings SHORT = HubSettings.USUAL.withTiming(
            new DispatchTiming(LOCK, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(300)));

    @RegisterExtension
    static final HostFixture host = HostFixture.with(SHORT);

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String activity = unique("Ship");
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private static void staysFor(Duration time, Callable<Boolean> condition) {
        await().during(time).atMost(time.plusSeconds(30)).until(condition);
    }

    private HostConfig metered() {
        return host.config().withMeters(meters);
    }

    private double lost() {
        return meters.get("sluice.host.locks.lost")
                .tag("kind", "turn")
                .counter()
                .count();
    }

    /** What one host writes to the partition of an instance, as long as only that host works on it. */
    private static Predicate<LoggedRequest> writesOf(String instance) {
        return request -> request.operation().isWrite()
                && request.partitionKey() != null
                && request.partitionKey().contains(instance);
    }

    @Test
    void a_turn_may_take_longer_than_its_lock() {
        ScriptedWorker worker = host.worker().takes(name).connect();
        ScriptedWorker other = host.another().worker().takes(name).connect();
        String instance = client.start(name, "1");
        await().until(() -> worker.inbox().got() + other.inbox().got() == 1);
        ScriptedWorker holder = worker.inbox().got() == 1 ? worker : other;
        WorkItem turn = holder.turn(instance);

        staysFor(
                LOCK.multipliedBy(2), () -> worker.inbox().got() + other.inbox().got() == 1);
        holder.complete(turn, completed(0, "42"));

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
        assertThat(worker.inbox().got() + other.inbox().got()).isEqualTo(1);
    }

    @Test
    void an_activity_may_take_longer_than_its_lock() {
        ScriptedWorker worker =
                host.worker().takes(name).takesActivity(activity).connect();
        String instance = client.start(name, "1");
        worker.decide(instance, task(0, activity, "in"));
        WorkItem item = worker.activity(instance);

        staysFor(LOCK.multipliedBy(2), () -> worker.inbox().content().isEmpty());
        worker.complete(item, "out");

        assertThat(Events.newKinds(worker.turn(instance))).contains(EventTypeCase.TASKCOMPLETED);
        assertThat(worker.inbox().content()).isEmpty();
    }

    @Test
    void a_host_that_can_not_renew_a_lock_loses_it_and_takes_no_answer() {
        OpenHost cut = host.another(metered());
        ScriptedWorker first = cut.worker().takes(name).connect();
        String instance = client.start(name, "1");
        WorkItem turn = first.turn(instance);
        FaultRule rule = host.emulator().faults().refuse(writesOf(instance), 0, 503, 0);

        await().atMost(LOCK.multipliedBy(4)).until(() -> lost() == 1);
        rule.remove();

        assertRefused(Code.NOT_FOUND, () -> first.complete(turn, completed(0, "late")), instance, "lock was lost");
        ScriptedWorker second = host.worker().takes(name).connect();
        assertThat(client.status(instance)).as("nothing was written").isEqualTo(ORCHESTRATION_STATUS_PENDING);
        first.close();
        second.decide(instance, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void an_answer_that_comes_after_another_host_has_taken_over_is_refused_whole() {
        OpenHost frozen = host.another(HostConfig.local(0)
                .withHub(SHORT.withTiming(new DispatchTiming(
                        Duration.ofSeconds(1),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(300)))));
        ScriptedWorker first =
                frozen.worker().takes(name).takesActivity(activity).connect();
        String instance = client.start(name, "1");
        WorkItem turn = first.turn(instance);
        FaultRule rule = host.emulator().faults().refuse(writesOf(instance), 0, 503, 0);
        staysFor(Duration.ofMillis(1_800), () -> first.inbox().content().isEmpty());
        rule.remove();
        ScriptedWorker second =
                host.worker().takes(name).takesActivity(activity).connect();
        first.breakStream();
        second.decide(instance, task(0, activity, "of the second"));

        assertRefused(
                Code.NOT_FOUND,
                () -> first.complete(turn, task(0, activity, "of the first"), completed(1, "of the first")));

        WorkItem item = second.activity(instance);
        assertThat(item.getActivityRequest().getInput()).isEqualTo(Wire.text("of the second"));
        second.complete(item, "out");
        second.decide(instance, completed(1, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
        assertThat(Events.of(client.history(instance), EventTypeCase.TASKSCHEDULED))
                .hasSize(1);
    }

    @Test
    void a_lock_that_somebody_else_has_taken_makes_the_ack_fail_and_nothing_is_half_written() {
        ScriptedWorker worker =
                host.worker().takes(name).takesActivity(activity).connect();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);
        try (Thief thief = Thief.of(host.store(), instance)) {
            assertRefused(
                    Code.ABORTED, () -> worker.complete(turn, task(0, activity, "in"), completed(1, "late")), instance);

            assertThat(client.status(instance)).isEqualTo(ORCHESTRATION_STATUS_PENDING);
            assertThat(client.history(instance)).isEmpty();
            thief.giveBack();
        }
        worker.decide(instance, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
        assertThat(worker.inbox().content()).as("no activity was scheduled").isEmpty();
    }
}
