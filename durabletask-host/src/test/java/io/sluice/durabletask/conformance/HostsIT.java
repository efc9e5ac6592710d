package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.with;
import static io.sluice.durabletask.conformance.Refusals.assertRefused;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status.Code;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.durabletask.wire.Protocol.GetInstanceResponse;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.TaskHubSidecarServiceGrpc;
import io.sluice.durabletask.wire.Wire;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several hosts on one store, hosts that close, and those that go on after them. */
@Order(1)
class HostsIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String activity = unique("Ship");

    private ScriptedWorker on(OpenHost one) {
        return one.worker().takes(name).takesActivity(activity).connect();
    }

    @Test
    void the_answer_to_a_turn_of_another_host_is_misrouted() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        OpenHost other = host.another(host.config().withMeters(meters));
        ScriptedWorker mine = on(host.host());
        ScriptedWorker its = other.worker().takes(unique("Nothing")).connect();
        String instance = client.start(name, "1");
        WorkItem turn = mine.turn(instance);

        assertRefused(
                Code.UNAVAILABLE,
                () -> its.complete(turn, completed(0, "41")),
                instance,
                "another host",
                "the connection that it came by");

        assertThat(meters.get("sluice.host.misrouted").counter().count()).isEqualTo(1);
        mine.complete(turn, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void the_result_of_an_activity_may_go_to_any_host_and_counts_once() {
        OpenHost other = host.another();
        ScriptedWorker mine = on(host.host());
        ScriptedWorker its = other.worker().takes(unique("Nothing")).connect();
        String instance = client.start(name, "1");
        mine.decide(instance, task(0, activity, "in"));
        WorkItem item = mine.activity(instance);

        its.complete(item, "out");
        its.complete(item, "out");

        var result =
                Events.only(mine.turn(instance), EventTypeCase.TASKCOMPLETED).getTaskCompleted();
        assertThat(result.getResult()).isEqualTo(Wire.text("out"));
        assertRefused(Code.ABORTED, () -> mine.complete(item, "out again"), instance);
        client.raise(instance, "go", "1");
        assertThat(Events.of(client.history(instance), EventTypeCase.TASKCOMPLETED))
                .isEmpty();
    }

    @Test
    void workers_of_two_hosts_share_the_work_of_one_store() {
        OpenHost other = host.another();
        for (OpenHost each : List.of(host.host(), other)) {
            each.worker()
                    .orchestrates(name, Scripts.sequence(activity, 3))
                    .performs(activity, request -> request.getInput().getValue())
                    .connect();
        }

        List<String> instances = IntStream.range(0, Tier.times(6, 30))
                .mapToObj(i -> (i % 2 == 0 ? client : other.client()).start(name, "" + i))
                .toList();

        assertThat(instances)
                .allSatisfy(instance ->
                        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("0,1,2")));
    }

    @Test
    void each_of_two_hosts_serves_what_its_own_workers_take() {
        OpenHost other = host.another();
        ScriptedWorker orchestrator =
                host.worker().orchestrates(name, Scripts.sequence(activity, 3)).connect();
        ScriptedWorker performer = other.worker()
                .performs(activity, request -> request.getInput().getValue())
                .connect();

        assertThat(client.awaitEnd(client.start(name, "1")).getOutput()).isEqualTo(Wire.text("0,1,2"));
        orchestrator.close();
        performer.close();
    }

    @Test
    void what_workers_of_a_host_that_closes_have_in_hand_goes_to_those_of_another_at_once() {
        OpenHost closing = host.another();
        ScriptedWorker its = on(closing);
        String instance = client.start(name, "1");
        String withActivity = client.start(name, "2");
        its.turn(instance);
        its.decide(withActivity, task(0, activity, "in"));
        its.activity(withActivity);

        closing.close();

        assertThat(its.ended().orTimeout(5, TimeUnit.SECONDS).join().getCode()).isIn(Code.OK, Code.UNAVAILABLE);
        ScriptedWorker mine = on(host.host());
        assertThat(mine.turn(instance, Duration.ofSeconds(3))).isPresent();
        assertThat(mine.activity(withActivity, Duration.ofSeconds(3))).isPresent();
    }

    @Test
    void a_host_closes_soon_with_workers_and_waiting_clients() {
        OpenHost closing = host.another();
        on(closing);
        String instance = client.start(unique("Unknown"), "1");
        Future<GetInstanceResponse> waiting = TaskHubSidecarServiceGrpc.newFutureStub(
                        closing.client().channel())
                .waitForInstanceCompletion(with(instance));
        await().until(() -> closing.hub().waits().count() == 1);
        long begun = System.nanoTime();

        closing.host().close();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
        Assertions.assertThatThrownBy(() -> waiting.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("UNAVAILABLE");
        assertThat(closing.host().faults()).isNotEmpty();
    }

    @Test
    void a_host_that_is_closed_twice_is_closed() {
        OpenHost closing = host.another();

        closing.host().close();
        closing.host().close();

        assertThat(closing.host().faults()).containsExactly("the host closes");
    }

    @Test
    void another_host_goes_on_where_one_has_ended() {
        OpenHost first = host.another();
        String instance = first.client().start(name, "1");
        ScriptedWorker its = on(first);
        its.decide(instance, task(0, activity, "in"));
        WorkItem item = its.activity(instance);
        first.close();

        OpenHost second = host.another();
        ScriptedWorker next = on(second);
        WorkItem again = next.activity(instance);
        next.complete(again, "out");
        WorkItem turn = next.turn(instance);
        next.complete(turn, completed(1, "42"));

        assertThat(again.getActivityRequest()).isEqualTo(item.getActivityRequest());
        assertThat(Events.kinds(turn.getOrchestratorRequest().getPastEventsList()))
                .contains(EventTypeCase.TASKSCHEDULED);
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void after_a_restart_the_answer_to_a_turn_of_before_is_misrouted_and_a_result_of_an_activity_is_taken_or_aborted() {
        OpenHost first = host.another();
        String instance = client.start(name, "1");
        ScriptedWorker its = on(first);
        WorkItem turn = its.turn(instance);
        first.close();
        OpenHost second = host.another();
        ScriptedWorker next = second.worker().takes(unique("Nothing")).connect();

        assertRefused(Code.UNAVAILABLE, () -> next.complete(turn, completed(0, "41")), "before this one was started");
        on(second).decide(instance, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void hosts_that_come_and_go_lose_and_double_nothing() {
        OpenHost steady = host.host();
        steady.worker()
                .orchestrates(name, Scripts.sequence(activity, 5))
                .performs(activity, request -> request.getInput().getValue())
                .connect();
        List<String> instances = IntStream.range(0, Tier.times(10, 40))
                .mapToObj(i -> client.start(name, "" + i))
                .toList();
        for (int i = 0; i < 3; i++) {
            OpenHost passing = host.another();
            passing.worker()
                    .orchestrates(name, Scripts.sequence(activity, 5))
                    .performs(activity, request -> request.getInput().getValue())
                    .connect();
            passing.client().awaitEnd(instances.get(i));
            passing.close();
        }

        assertThat(instances).allSatisfy(instance -> {
            assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("0,1,2,3,4"));
            assertThat(Events.of(client.history(instance), EventTypeCase.TASKCOMPLETED))
                    .hasSize(5);
        });
    }
}
