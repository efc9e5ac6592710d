package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.conformance.HubClient.request;
import static io.sluice.durabletask.turn.Answers.answer;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Wire;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers that take some names and versions alone. */
class FiltersIT {
    private static final Duration A_WHILE = Duration.ofMillis(400);

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String otherName = unique("Bill");
    private final String activity = unique("Ship");
    private final String otherActivity = unique("Pack");

    private String start(String version) {
        return client.start(request(name).setVersion(Wire.text(version)));
    }

    @Test
    void two_workers_get_the_orchestrations_that_each_of_them_takes() {
        ScriptedWorker one = host.worker().takes(name).connect();
        ScriptedWorker two = host.worker().takes(otherName).connect();

        String first = client.start(name, "1");
        String second = client.start(otherName, "2");

        one.decide(first, completed(0, "42"));
        two.decide(second, completed(0, "42"));
    }

    @Test
    void two_workers_get_the_activities_that_each_of_them_takes() {
        ScriptedWorker one = host.worker().takes(name).takesActivity(activity).connect();
        ScriptedWorker two = host.worker().takesActivity(otherActivity).connect();
        String instance = client.start(name, "1");

        one.decide(instance, task(0, activity, "a"), task(1, otherActivity, "b"));

        assertThat(one.activity(instance).getActivityRequest().getName()).isEqualTo(activity);
        assertThat(two.activity(instance).getActivityRequest().getName()).isEqualTo(otherActivity);
    }

    @Test
    void a_version_goes_to_the_worker_that_takes_it() {
        ScriptedWorker old = host.worker().takes(name, "1.0").connect();
        ScriptedWorker young = host.worker().takes(name, "2.0", "2.1").connect();

        String first = start("1.0");
        String second = start("2.1");

        old.decide(first, completed(0, "42"));
        young.decide(second, completed(0, "42"));
        assertThat(old.inbox().content()).isEmpty();
        assertThat(young.inbox().content()).isEmpty();
    }

    @Test
    void an_activity_s_version_goes_to_the_worker_that_takes_it() {
        ScriptedWorker old =
                host.worker().takes(name).takesActivity(activity, "1").connect();
        ScriptedWorker young = host.worker().takesActivity(activity, "2").connect();
        String instance = client.start(name, "1");
        OrchestratorAction.Builder action = task(0, activity, "in").toBuilder();
        action.getScheduleTaskBuilder().setVersion(Wire.text("2"));

        old.decide(instance, action.build());

        young.complete(young.activity(instance), "out");
        assertThat(old.turn(instance)).isNotNull();
        assertThat(old.inbox().content()).isEmpty();
    }

    @Test
    void what_has_no_version_goes_to_a_worker_that_takes_every_version() {
        host.worker().takes(name, "1.0").connect();
        ScriptedWorker any = host.worker().takes(name).connect();

        any.decide(client.start(request(name)), completed(0, "42"));
    }

    @Test
    void what_nobody_takes_waits_until_somebody_comes() {
        ScriptedWorker worker = host.worker().takes(otherName).connect();
        String waiting = client.start(name, "1");
        String other = client.start(otherName, "2");
        worker.decide(other, completed(0, "42"));
        assertThat(client.awaitEnd(other).getOutput()).isEqualTo(Wire.text("42"));

        ScriptedWorker late = host.worker().takes(name).connect();

        late.decide(waiting, completed(0, "42"));
        assertThat(worker.inbox().content()).isEmpty();
    }

    @Test
    void much_that_nobody_takes_does_not_slow_down_the_others() {
        IntStream.range(0, 40).forEach(i -> client.start(name, "" + i));
        host.worker()
                .orchestrates(otherName, turn -> answer(completed(0, "42")))
                .connect();
        long begun = System.nanoTime();

        IntStream.range(0, 10).forEach(i -> client.awaitEnd(client.start(otherName, "" + i)));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void activities_that_nobody_takes_do_not_keep_others_from_theirs() {
        ScriptedWorker worker =
                host.worker().takes(name).takesActivity(otherActivity).connect();
        String instance = client.start(name, "1");
        worker.decide(
                instance,
                IntStream.range(0, 30)
                        .mapToObj(i -> task(i, i < 29 ? activity : otherActivity, "in"))
                        .toArray(OrchestratorAction[]::new));

        worker.complete(worker.activity(instance), "out");

        assertThat(worker.turn(instance)).isNotNull();
    }

    @Test
    void what_is_asked_of_the_store_while_nobody_takes_it_stays_small() {
        host.worker().takes(otherName).connect();
        client.start(name, "1");
        await().until(() -> host.host().hub().workers().count() == 1);
        host.emulator().requests().clear();

        await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(host.emulator()
                            .requests()
                            .matching(request -> request.operation().isWrite()))
                    .as("locks that are taken and given back")
                    .isEmpty();
            assertThat(host.emulator().requests().size()).isLessThan(60);
        });
    }

    @Test
    void an_empty_filter_takes_nothing_of_its_kind() {
        ScriptedWorker activities = host.worker().takesActivity(activity).connect();
        String instance = client.start(name, "1");

        assertThat(activities.turn(instance, A_WHILE)).isEmpty();
    }

    @Test
    void a_worker_without_filters_takes_everything() {
        OpenHost alone = host.alone();
        ScriptedWorker worker = alone.worker().takesAll().connect();
        HubClient itsClient = alone.client();
        String instance = itsClient.start(name, "1");

        worker.decide(instance, task(0, activity, "in"));
        worker.complete(worker.activity(instance), "out");
        worker.decide(instance, completed(1, "42"));

        assertThat(itsClient.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void names_that_differ_in_case_alone_are_not_the_same() {
        ScriptedWorker worker =
                host.worker().takes(name.toUpperCase(java.util.Locale.ROOT)).connect();
        String instance = client.start(name, "1");

        assertThat(worker.turn(instance, A_WHILE)).isEmpty();
    }

    @Test
    void many_names_are_served_as_a_few_are() {
        ScriptedWorker worker = host.worker().takes(name);
        IntStream.range(0, 150).forEach(i -> worker.takes("Unused" + i).takesActivity("Unused" + i));
        worker.takesActivity(activity).connect();
        String instance = client.start(name, "1");

        worker.decide(instance, task(0, activity, "in"));
        worker.complete(worker.activity(instance), "out");
        worker.decide(instance, completed(1, "42"));

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }
}
