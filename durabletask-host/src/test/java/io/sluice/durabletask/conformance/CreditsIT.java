package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.durabletask.hub.HubSettings;
import io.sluice.durabletask.wire.Protocol.ActivityRequest;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How much a worker has in hand: never more than it said. */
class CreditsIT {
    private static final Duration A_WHILE = Duration.ofMillis(500);

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String activity = unique("Ship");

    private List<String> start(int instances) {
        return IntStream.range(0, instances)
                .mapToObj(i -> client.start(name, "" + i))
                .toList();
    }

    private String startWithActivities(ScriptedWorker worker, int activities) {
        String instance = client.start(name, "1");
        worker.decide(
                instance,
                IntStream.range(0, activities)
                        .mapToObj(i -> task(i, activity, "" + i))
                        .toArray(OrchestratorAction[]::new));
        return instance;
    }

    private static void awaitInHand(ScriptedWorker worker, int items) {
        await().pollInterval(Duration.ofMillis(20))
                .until(() -> worker.inbox().content().size() == items);
        await().during(A_WHILE)
                .atMost(A_WHILE.plusSeconds(2))
                .until(() -> worker.inbox().content().size() == items);
    }

    @Test
    void a_worker_has_no_more_turns_in_hand_than_it_said() {
        List<String> instances = start(5);
        ScriptedWorker worker = host.worker().takes(name).limits(2, 1).connect();
        awaitInHand(worker, 2);

        WorkItem one = worker.inbox().content().get(0);
        String first = one.getOrchestratorRequest().getInstanceId();
        worker.decide(first, completed(0, "42"));

        awaitInHand(worker, 2);
        assertThat(instances).contains(first);
    }

    @Test
    void a_worker_has_no_more_activities_in_hand_than_it_said() {
        ScriptedWorker worker =
                host.worker().takes(name).takesActivity(activity).limits(1, 3).connect();
        String instance = startWithActivities(worker, 8);
        awaitInHand(worker, 3);

        worker.complete(worker.activity(instance), "out");

        await().until(() -> worker.inbox().content().stream()
                        .filter(WorkItem::hasActivityRequest)
                        .count()
                == 3);
    }

    @Test
    void a_worker_that_names_no_limit_has_the_host_s_in_hand_at_most() {
        start(5);
        ScriptedWorker worker = host.another(host.config().withHub(HubSettings.USUAL.withDefaultCredits(2)))
                .worker()
                .takes(name)
                .limits(0, 0)
                .connect();

        awaitInHand(worker, 2);
    }

    @Test
    void turns_and_activities_are_counted_apart() {
        ScriptedWorker worker =
                host.worker().takes(name).takesActivity(activity).limits(1, 1).connect();
        String instance = startWithActivities(worker, 2);
        worker.activity(instance);

        String other = client.start(name, "2");

        assertThat(worker.turn(other)).isNotNull();
    }

    @Test
    void an_abandoned_item_is_not_in_hand_any_more() {
        start(3);
        ScriptedWorker worker = host.worker().takes(name).limits(1, 1).connect();
        awaitInHand(worker, 1);
        WorkItem turn = worker.inbox().content().get(0);

        var unused = worker.stub()
                .abandonTaskOrchestratorWorkItem(
                        io.sluice.durabletask.wire.Protocol.AbandonOrchestrationTaskRequest.newBuilder()
                                .setCompletionToken(turn.getCompletionToken())
                                .build());

        await().until(() -> worker.inbox().got() == 2);
    }

    @Test
    void a_refused_answer_is_not_in_hand_any_more() {
        start(2);
        ScriptedWorker worker = host.worker().takes(name).limits(1, 1).connect();
        awaitInHand(worker, 1);
        WorkItem turn = worker.inbox().content().get(0);

        Refusals.assertRefused(
                io.grpc.Status.Code.INVALID_ARGUMENT,
                () -> worker.complete(turn, completed(0, "1"), completed(1, "2")));

        await().until(() -> worker.inbox().got() == 2);
    }

    @Test
    void two_workers_share_what_there_is() {
        List<String> instances = start(6);
        ScriptedWorker one = host.worker().takes(name).limits(3, 1).connect();
        ScriptedWorker two = host.worker().takes(name).limits(3, 1).connect();

        awaitInHand(one, 3);
        awaitInHand(two, 3);

        assertThat(one.inbox().content())
                .extracting(item -> item.getOrchestratorRequest().getInstanceId())
                .doesNotContainAnyElementsOf(two.inbox().content().stream()
                        .map(item -> item.getOrchestratorRequest().getInstanceId())
                        .toList());
        assertThat(instances).hasSize(6);
    }

    @Test
    void the_worker_with_the_least_in_hand_gets_the_next_item() {
        ScriptedWorker busy = host.worker().takes(name).limits(10, 1).connect();
        start(3);
        awaitInHand(busy, 3);
        ScriptedWorker idle = host.worker().takes(name).limits(10, 1).connect();
        await().until(() -> host.host().hub().workers().count() == 2);

        start(3);

        awaitInHand(idle, 3);
        awaitInHand(busy, 3);
    }

    @Test
    void a_worker_that_says_no_limit_gets_a_hundred() {
        ScriptedWorker worker =
                host.worker().takes(name).takesActivity(activity).limits(0, 0).connect();
        startWithActivities(worker, 102);

        awaitInHand(worker, 100);
    }

    @Test
    void a_worker_that_reads_slowly_keeps_no_other_from_work() {
        ScriptedWorker slow =
                host.worker().takes(name).readsWhenTold().limits(100, 100).connect();
        String large = "x".repeat(100_000);
        for (int i = 0; i < 20; i++) {
            client.start(name, large);
        }
        ScriptedWorker quick = host.worker()
                .orchestrates(name, turn -> answer(completed(0, "42")))
                .limits(100, 100)
                .connect();

        String last = client.start(name, "last");

        assertThat(client.awaitEnd(last).getOutput()).isEqualTo(Wire.text("42"));
        slow.breakStream();
        quick.close();
    }

    @Test
    void what_runs_at_the_same_time_stays_within_the_limits_under_load() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Semaphore pace = new Semaphore(0);
        ScriptedWorker worker = host.worker().limits(4, 5);
        worker.orchestrates(name, Scripts.sequence(activity, 3))
                .performs(activity, request -> counted(request, running, most, pace))
                .connect();

        List<String> instances = start(6);
        pace.release(10_000);

        assertThat(instances)
                .allSatisfy(instance ->
                        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("0,1,2")));
        assertThat(most.get()).isBetween(1, 5);
    }

    private static String counted(ActivityRequest request, AtomicInteger running, AtomicInteger most, Semaphore pace) {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        pace.acquireUninterruptibly();
        running.decrementAndGet();
        return request.getInput().getValue();
    }
}
