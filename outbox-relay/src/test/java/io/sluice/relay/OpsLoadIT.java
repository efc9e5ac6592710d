package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Many callers at the port for operators at a time: what they get, and what they cost. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OpsLoadIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CALLERS = 16;
    private static final int LETTERS = 400;

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @RegisterExtension
    final Opened opened = new Opened();

    @TempDir
    Path folder;

    /** What callers got: an answer and how long it took. */
    private record Got(int status, String body, long millis) {}

    private static Got timed(OpsClient ops, String path) {
        long begun = System.nanoTime();
        var reply = ops.get(path);
        return new Got(reply.status(), reply.body(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    }

    /**
     * Callers that call again and again for a while.
     *
     * @param meanwhile runs now and then
     */
    private static List<Got> calling(
            List<Integer> ports, String path, int callersOfEach, Duration duration, Runnable meanwhile)
            throws InterruptedException {
        var got = new ConcurrentLinkedQueue<Got>();
        var threads = Executors.newFixedThreadPool(ports.size() * callersOfEach);
        long end = System.nanoTime() + duration.toNanos();
        for (int i = 0; i < callersOfEach; i++) {
            for (int port : ports) {
                var ops = new OpsClient(port);
                threads.execute(() -> {
                    while (System.nanoTime() - end < 0) {
                        got.add(timed(ops, path));
                    }
                });
            }
        }
        threads.shutdown();
        while (!threads.awaitTermination(500, TimeUnit.MILLISECONDS)) {
            meanwhile.run();
        }
        return List.copyOf(got);
    }

    private static long median(List<Got> got) {
        var sorted = got.stream().mapToLong(Got::millis).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    @Test
    void replicas_that_answer_for_each_other_do_not_wait_for_each_other() throws Exception {
        try (var replicas = new StreamsReplicas(kafka, folder, Map.of())) {
            replicas.makeHistory(4);
            var ports = List.of(
                    replicas.start("first").port(), replicas.start("second").port());
            // Both hold partitions: each has to ask the other one.
            await().atMost(PATIENCE).until(() -> ports.stream().allMatch(port -> holdsSome(replicas, port)));

            var got = calling(ports, "/instances", 6, Duration.ofSeconds(10), () -> {});

            assertThat(got).as("callers waited for one another").hasSizeGreaterThan(200);
            assertThat(got)
                    .allSatisfy(answer ->
                            assertThat(answer.status()).as(answer.body()).isEqualTo(200));
            assertThat(median(got)).as("milliseconds").isLessThan(500);
        }
    }

    private static boolean holdsSome(StreamsReplicas replicas, int port) {
        try {
            var all = replicas.get(port, "/instances");
            var part = StreamsReplicas.json(replicas.get(port, "/instances?local=true"));
            return all.statusCode() == 200 && part.path("partitions").size() > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void callers_without_the_token_can_not_draw_much_from_the_store_nor_hold_up_probes() throws Exception {
        var store = opened.add(TestStore.provisioned(cosmos));
        for (int i = 0; i < LETTERS / 20; i++) {
            store.writeFailed("bad-" + i, 1, 20, 200);
        }
        var relay = opened.add(OutboxRelay.builder()
                .config(TestConfig.of(store, kafka).withOperations(TestConfig.operations(10)))
                .build());
        relay.start();
        var ops = new OpsClient(relay.opsPort());
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        await().atMost(PATIENCE).until(() -> topics.deadLetterReasons().size() == LETTERS);
        var duration = Duration.ofSeconds(12);

        var probes = new ArrayList<Got>();
        cosmos.requireEmulator().requests().clear();
        var got = calling(
                List.of(relay.opsPort()),
                "/dead-letters?limit=1000",
                CALLERS,
                duration,
                () -> List.of("/health/live", "/metrics", "/status").forEach(path -> probes.add(timed(ops, path))));

        assertThat(got).as("answers").hasSizeGreaterThan(CALLERS);
        assertThat(got)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.body()).isEqualTo(200));
        assertThat(charge(cosmos.requireEmulator().requests().all()) / duration.toSeconds())
                .as("request units a second, of reads of %s letters", LETTERS)
                .isLessThan(100);
        assertThat(probes).allSatisfy(probe -> assertThat(probe.status()).isEqualTo(200));
        assertThat(median(probes)).as("milliseconds").isLessThan(500);
        assertThat(probes).extracting(Got::millis).allMatch(millis -> millis < 5_000);
    }

    /** Of queries that bring dead letters, as the sweep's do for those that are not published. */
    private static double charge(List<LoggedRequest> requests) {
        return requests.stream()
                .filter(request -> request.operation() == RequestKind.QUERY && request.itemCount() > 20)
                .mapToDouble(LoggedRequest::requestCharge)
                .sum();
    }
}
