package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.hub.HubSettings;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work that no connected worker takes is a problem that a host tells, by its status and by its meters. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitingWorkIT {
    @RegisterExtension
    static final HostFixture fixture = HostFixture.usual();

    private static final Duration INTERVAL = Duration.ofMillis(600);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final String name = unique("Order");
    private final String activity = unique("Ship");

    private OpenHost host;
    private HubClient client;

    @BeforeEach
    void open() {
        host = fixture.alone(config().withMeters(meters));
        client = host.client();
    }

    private static HostConfig config() {
        return fixture.config().withHub(HubSettings.USUAL.withWaitingInterval(INTERVAL));
    }

    private static List<String> problems(OpenHost of) {
        @SuppressWarnings("unchecked")
        List<String> problems =
                (List<String>) Objects.requireNonNull(of.host().status().get("problems"));
        return problems;
    }

    private void awaitProblem(String... words) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(problems(host))
                        .singleElement()
                        .satisfies(problem -> assertThat(problem).contains(words)));
    }

    private void awaitNoProblem() {
        await().atMost(Duration.ofSeconds(30)).until(() -> problems(host).isEmpty());
    }

    private double gauge(String meter, String kind) {
        return meters.get(meter).tag("kind", kind).gauge().value();
    }

    private String start(String version) {
        return client.start(request(name).setVersion(Wire.text(version)));
    }

    @Test
    void without_any_worker_what_was_started_is_a_problem_until_a_worker_comes() {
        String first = start("1.0");
        String second = start("1.0");

        awaitProblem("no connected worker takes orchestration '" + name + "' of version '1.0': 2 wait", "oldest for");
        assertThat(gauge("sluice.host.waiting", "turn")).isEqualTo(2);
        assertThat(gauge("sluice.host.untaken", "turn")).isEqualTo(2);
        await().until(() -> gauge("sluice.host.untaken.age", "turn") > 1);
        assertThat(gauge("sluice.host.untaken", "activity")).isZero();

        ScriptedWorker worker = host.worker().takes(name).connect();
        worker.decide(first, completed(0, "42"));
        worker.decide(second, completed(0, "42"));
        client.awaitEnd(first);
        client.awaitEnd(second);

        awaitNoProblem();
        await().until(() -> gauge("sluice.host.waiting", "turn") == 0);
        assertThat(gauge("sluice.host.untaken.age", "turn")).isZero();
    }

    @Test
    void a_worker_of_another_name_does_not_help() {
        host.worker().takes(unique("Bill")).connect();
        client.start(name, "1");

        awaitProblem(name, "1 wait");

        host.worker().takes(name).limits(1, 1).connect();
        awaitNoProblem();
    }

    @Test
    void a_retired_version_is_named() {
        host.worker().takes(name, "2.0", "2.1").connect();
        start("1.0");
        start("2.0");

        awaitProblem(name, "of version '1.0'", "1 wait");
    }

    @Test
    void an_instance_of_a_retired_version_that_was_running_is_named() {
        ScriptedWorker old = host.worker().takes(name, "1.0").connect();
        String instance = start("1.0");
        old.decide(instance);
        client.awaitStart(instance);
        old.close();
        host.worker().takes(name, "2.0").connect();

        client.raise(instance, "paid", "7");

        awaitProblem(name, "of version '1.0'", "1 wait");
    }

    @Test
    void what_is_taken_but_waits_for_a_busy_worker_is_counted_and_no_problem() {
        ScriptedWorker busy = host.worker().takes(name).limits(1, 1).connect();
        String first = client.start(name, "1");
        busy.turn(first);
        client.start(name, "2");

        await().until(() -> gauge("sluice.host.waiting", "turn") == 1);
        assertThat(problems(host)).isEmpty();
        assertThat(gauge("sluice.host.untaken", "turn")).isZero();
    }

    @Test
    void an_activity_that_nobody_takes_is_a_problem() {
        ScriptedWorker worker =
                host.worker().takes(name).takesActivity(unique("Pack")).connect();
        worker.decide(client.start(name, "1"), task(0, activity, "in"));

        awaitProblem("no connected worker takes activity '" + activity + "'", "1 wait");
        assertThat(gauge("sluice.host.untaken", "activity")).isEqualTo(1);
    }

    @Test
    void an_activity_of_a_retired_version_is_a_problem() {
        ScriptedWorker worker =
                host.worker().takes(name).takesActivity(activity, "2").connect();
        OrchestratorAction.Builder action = task(0, activity, "in").toBuilder();
        action.getScheduleTaskBuilder().setVersion(Wire.text("1"));
        worker.decide(client.start(name, "1"), action.build());

        awaitProblem("activity '" + activity + "' of version '1'", "1 wait");
    }

    @Test
    void a_worker_that_is_connected_to_another_host_counts() {
        OpenHost one = fixture.another(config().withMeters(meters));
        OpenHost other = fixture.another(config());
        String first = one.client().start(name, "1");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !problems(one).isEmpty() && !problems(other).isEmpty());

        // It takes the name, and has no hand free for a second one.
        ScriptedWorker worker = other.worker().takes(name).limits(1, 1).connect();
        worker.turn(first);
        one.client().start(name, "2");

        await().atMost(Duration.ofSeconds(30))
                .until(() -> problems(one).isEmpty()
                        && meters.find("sluice.host.waiting.type")
                                        .tag("type", name)
                                        .tag("taken", "true")
                                        .gauge()
                                != null);
        assertThat(problems(other)).isEmpty();
    }

    @Test
    void a_thousand_names_are_few_series_and_few_problems() {
        IntStream.range(0, 1_000).parallel().forEach(i -> client.start(unique("Order" + i), "1"));

        await().atMost(Duration.ofSeconds(60)).until(() -> gauge("sluice.host.waiting", "turn") >= 500);
        assertThat(series("sluice.host.waiting.type")).isLessThanOrEqualTo(22);
        assertThat(series("sluice.host.waiting.type.age")).isLessThanOrEqualTo(22);
        assertThat(problems(host)).hasSize(20);
        assertThat(meters.get("sluice.host.waiting.type")
                        .tags("kind", "turn", "type", "other")
                        .gauge()
                        .value())
                .isGreaterThan(400);
    }

    private long series(String meter) {
        return meters.find(meter).gauges().stream()
                .map(Gauge::getId)
                .map(Meter.Id::getTags)
                .distinct()
                .count();
    }

    @Test
    void what_waits_is_in_the_status_by_number() {
        client.start(name, "1");

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            Object hub = host.host()
                    .status()
                    .get(host.host().hubs().keySet().iterator().next());
            assertThat(hub)
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .extractingByKey("waiting", InstanceOfAssertFactories.MAP)
                    .containsEntry("turns", 1)
                    .containsEntry("activities", 0);
        });
    }

    @Test
    void while_the_store_can_not_be_read_nobody_knows_what_waits() {
        client.start(name, "1");
        awaitProblem(name);

        fixture.emulator()
                .faults()
                .refuse(request -> "[\"__leases__:waiting\"]".equals(request.partitionKey()), 0, 403, 0);

        await().atMost(Duration.ofSeconds(30)).until(() -> Double.isNaN(gauge("sluice.host.waiting", "turn")));
        assertThat(gauge("sluice.host.untaken.age", "turn")).isNaN();
        assertThat(problems(host)).isEmpty();
        fixture.emulator().faults().clear();
    }
}
