package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers' streams that break: another worker gets what they had in hand, long before a lock lapses. */
@Order(1)
class StreamsIT {
    /** A lock lives for thirty seconds; the farewell of a stream whose connection lives is one. */
    private static final Duration SOON = Duration.ofSeconds(3);

    /** A silent connection is tried after ten seconds at the earliest, whatever the setting. */
    private static final Duration SILENCE = Duration.ofSeconds(14);

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final HubClient client = host.client();
    private final String name = unique("Order");
    private final String activity = unique("Ship");

    private ScriptedWorker worker() {
        return host.worker().takes(name).takesActivity(activity);
    }

    @Test
    void a_turn_of_a_stream_that_is_cancelled_goes_to_another_worker() {
        ScriptedWorker first = worker().connect();
        String instance = client.start(name, "1");
        WorkItem turn = first.turn(instance);
        ScriptedWorker second = worker().connect();

        first.breakStream();

        WorkItem again = second.turn(instance, SOON).orElseThrow();
        assertThat(again.getCompletionToken()).isNotEqualTo(turn.getCompletionToken());
        second.complete(again, completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void an_activity_of_a_stream_that_is_cancelled_goes_to_another_worker() {
        ScriptedWorker first = worker().connect();
        String instance = client.start(name, "1");
        first.decide(instance, task(0, activity, "in"));
        WorkItem item = first.activity(instance);
        ScriptedWorker second = worker().connect();

        first.breakStream();

        WorkItem again = second.activity(instance, SOON).orElseThrow();
        assertThat(again.getActivityRequest()).isEqualTo(item.getActivityRequest());
        second.complete(again, "out");
        second.decide(instance, completed(1, "42"));
    }

    @Test
    void what_a_worker_answers_in_the_second_after_it_has_ended_its_stream_still_counts() {
        ScriptedWorker worker = worker().connect();
        String instance = client.start(name, "1");
        WorkItem turn = worker.turn(instance);

        worker.breakStream();
        worker.complete(turn, completed(0, "42"));

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void a_connection_that_is_closed_in_good_order_gives_back_at_once() {
        ScriptedWorker first = worker().connect();
        String instance = client.start(name, "1");
        first.turn(instance);
        ScriptedWorker second = worker().connect();

        first.close();

        assertThat(second.turn(instance, Duration.ofSeconds(1))).isPresent();
    }

    @Test
    void a_connection_that_is_cut_gives_back_at_once() throws IOException {
        try (Cable cable = Cable.to(host.host().host().port())) {
            ScriptedWorker first = host.host()
                    .worker(cable.port())
                    .takes(name)
                    .takesActivity(activity)
                    .connect();
            String instance = client.start(name, "1");
            first.turn(instance);
            ScriptedWorker second = worker().connect();

            cable.cut();

            assertThat(second.turn(instance, Duration.ofSeconds(1))).isPresent();
        }
    }

    @Test
    void a_connection_that_falls_silent_is_tried_and_given_up() throws IOException {
        OpenHost impatient = host.another(Configs.withKeepAlive(host.config(), Duration.ofMillis(500)));
        try (Cable cable = Cable.to(impatient.host().port())) {
            ScriptedWorker first = impatient
                    .worker(cable.port())
                    .takes(name)
                    .takesActivity(activity)
                    .connect();
            String instance = client.start(name, "1");
            first.turn(instance);
            ScriptedWorker second = worker().connect();

            cable.freeze();

            assertThat(second.turn(instance, SILENCE)).isPresent();
        }
    }

    @Test
    void a_worker_may_come_back_by_another_stream() {
        ScriptedWorker worker = worker().connect();
        String instance = client.start(name, "1");
        worker.turn(instance);
        worker.breakStream();

        worker.connect();

        worker.complete(worker.turn(instance, SOON).orElseThrow(), completed(0, "42"));
        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }

    @Test
    void a_worker_that_has_gone_is_not_counted_any_more() {
        ScriptedWorker worker = worker().connect();
        var workers = host.host().hub().workers();
        await().until(() -> workers.count() == 1);

        worker.breakStream();

        await().until(() -> workers.count() == 0);
        assertThat(worker.ended().join().getCode()).isEqualTo(io.grpc.Status.Code.CANCELLED);
    }

    @Test
    void many_items_of_one_worker_all_go_to_another() {
        ScriptedWorker first = worker().limits(50, 50).connect();
        java.util.List<String> instances = java.util.stream.IntStream.range(0, 8)
                .mapToObj(i -> client.start(name, "" + i))
                .toList();
        await().until(() -> first.inbox().got() == 8);
        ScriptedWorker second = worker().limits(50, 50).connect();

        first.close();

        instances.forEach(instance -> second.decide(instance, completed(0, "42")));
        instances.forEach(
                instance -> assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42")));
    }

    @Test
    void an_instance_survives_workers_that_die_in_each_turn() {
        String instance = client.start(name, "1");
        for (int i = 0; i < 5; i++) {
            ScriptedWorker doomed = worker().connect();
            doomed.turn(instance);
            doomed.close();
        }

        worker().connect().decide(instance, completed(0, "42"));

        assertThat(client.awaitEnd(instance).getOutput()).isEqualTo(Wire.text("42"));
    }
}
