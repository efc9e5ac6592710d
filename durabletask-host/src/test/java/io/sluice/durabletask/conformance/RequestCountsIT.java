package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.durabletask.turn.Answers;
import io.sluice.durabletask.wire.Protocol.GetInstanceRequest;
import io.sluice.durabletask.wire.Protocol.GetInstanceResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.emulator.CosmosEmulator;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a host asks of the store: money, and time on the way. */
@Order(1)
class RequestCountsIT {
    private static final int TRIES = 25;
    private static final int PARTITIONS = 2;
    private static final Duration A_WHILE = Duration.ofSeconds(6);

    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final String name = unique("Hello");
    private final String activity = unique("Say");
    private CosmosEmulator emulator;

    @BeforeEach
    void look() {
        emulator = host.emulator();
    }

    /** Requests to the container within the time. */
    private long during(Duration time) {
        emulator.requests().clear();
        long begunNanos = System.nanoTime();
        await().until(() -> System.nanoTime() - begunNanos >= time.toNanos());
        return data();
    }

    private long data() {
        return emulator.requests()
                .matching(request ->
                        request.operation().isData() && host.store().container().equals(request.container()))
                .count();
    }

    @Test
    void a_host_without_a_worker_asks_nothing_for_work() {
        await().until(() -> host.host().hub().workers().count() == 0);
        during(Duration.ofSeconds(3));

        long all = during(A_WHILE);

        assertThat(emulator.requests().matching(request -> request.body().contains("_queue")))
                .as("looks for work")
                .isEmpty();
        // The provider looks every quarter of a minute for what acks have left undelivered, in each partition.
        assertThat(all).as("requests in %s", A_WHILE).isLessThanOrEqualTo(PARTITIONS);
    }

    @Test
    void a_host_with_an_idle_worker_asks_seldom() {
        host.worker().takes(name).takesActivity(activity).connect();
        await().until(() -> host.host().hub().workers().count() == 1);
        during(Duration.ofSeconds(3));

        long all = during(A_WHILE);

        // A look for work is a request to each partition, for turns and for activities, and each fetch takes a second.
        // The provider looks every quarter of a minute for what acks have left undelivered.
        long seconds = A_WHILE.toSeconds() + 1;
        assertThat(all).as("requests in %s", A_WHILE).isLessThanOrEqualTo(PARTITIONS * (2 * seconds + 1));
    }

    @Test
    void a_sequence_of_three_activities_takes_at_most_26_requests_of_its_own() {
        host.worker()
                .orchestrates(name, Scripts.sequence(activity, 3))
                .performs(activity, request -> "Hello " + request.getInput().getValue())
                .connect();
        HubClient client = host.client();
        IntStream.range(0, 5).forEach(i -> client.awaitEnd(client.start(name, "warm-up")));
        long own = Long.MAX_VALUE;
        long all = Long.MAX_VALUE;
        // On a busy machine work takes longer, and more looks for it find nothing: the best of some tries counts.
        for (int i = 0; i < TRIES && (own > 26 || all > 80); i++) {
            emulator.requests().clear();
            String instance = client.start(name, "1");
            String output = client.awaitEnd(instance).getOutput().getValue();

            assertThat(Wire.text(output)).isEqualTo(Wire.text("Hello 0,Hello 1,Hello 2"));
            own = Math.min(own, requestsOf(instance));
            all = Math.min(all, data());
        }
        assertThat(own).as("requests to the instance's own partition key").isLessThanOrEqualTo(26);
        assertThat(all).as("requests in all, with looks for work").isLessThanOrEqualTo(80);
    }

    @Test
    void a_state_whose_input_and_output_have_room_with_the_instance_takes_one_read() {
        host.worker()
                .orchestrates(name, turn -> Answers.answer(Answers.completed(0, "42")))
                .connect();
        HubClient client = host.client();
        String instance = client.start(HubClient.request(name));
        client.awaitEnd(instance);
        emulator.requests().clear();

        GetInstanceResponse response = client.stub()
                .getInstance(GetInstanceRequest.newBuilder()
                        .setInstanceId(instance)
                        .setGetInputsAndOutputs(true)
                        .build());

        assertThat(response.getOrchestrationState().getOutput()).isEqualTo(Wire.text("42"));
        assertThat(requestsOf(instance)).isEqualTo(1);
    }

    private long requestsOf(String instance) {
        return emulator.requests()
                .matching(request -> request.operation().isData()
                        && request.partitionKey() != null
                        && request.partitionKey().contains(instance))
                .count();
    }
}
