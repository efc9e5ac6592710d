package io.sluice.examples.durabletask.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.durabletask.replay.ReplayingWorker;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a host costs in requests to a store of one physical partition, by the store's own log. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** So long a feed that has just begun takes nothing that it is told of an instance for all there is. */
    private static final Duration DOUBT = Duration.ofSeconds(125);

    private static final int TRIES = 5;
    private static final int TURNS = 4;
    private static final String LAST_EVENT = "create:%s:history:1:8";

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @SuppressWarnings("NullAway.Init") // before each test
    private CosmosEmulator emulator;

    @SuppressWarnings("NullAway.Init") // before each test
    private RelayedHub hub;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(1));
        hub = RelayedHub.announced(new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "hubs", "hub"), kafka);
    }

    @AfterEach
    void close() {
        hub.close();
        emulator.close();
    }

    private List<LoggedRequest> ofHosts() {
        return emulator.requests()
                .matching(request -> request.userAgent().endsWith(RelayedHub.HOST))
                .toList();
    }

    private String describe() {
        return ofHosts().stream()
                .map(request ->
                        request.at() + " " + request.operation() + " " + request.itemId() + " " + request.body())
                .collect(Collectors.joining("\n"));
    }

    /** Until two seconds have passed without a request of a host. */
    private void awaitQuiet() {
        await().atMost(PATIENCE).until(() -> {
            List<LoggedRequest> all = ofHosts();
            return all.isEmpty()
                    || Duration.between(all.get(all.size() - 1).at(), Instant.now())
                                    .compareTo(QUIET)
                            > 0;
        });
    }

    private void pass(Duration time) {
        Instant end = Instant.now().plus(time);
        await().atMost(time.plus(PATIENCE)).until(() -> Instant.now().isAfter(end));
    }

    private void run(RunningHost host, String instance) {
        host.start(instance, "Hello", "1");
        host.awaitEnd(instance);
    }

    /** Starts an instance that no client waits for, and counts until its last turn has been acked. */
    private int helloSequence(RunningHost host, ReplayingWorker worker, String instance) {
        emulator.requests().clear();
        int before = worker.turns().size();
        host.start(instance, "Hello", "1");
        await().atMost(PATIENCE)
                .until(() -> worker.turns().size() == before + TURNS
                        && ofHosts().stream()
                                .anyMatch(request -> request.body().contains(LAST_EVENT.formatted(instance))));
        return ofHosts().size();
    }

    /**
     * The fewest requests of some tries: on a busy machine work takes longer, and more looks for it find nothing.
     *
     * @param most that are hoped for; the first try with no more is the last
     */
    private static int fewest(int most, IntUnaryOperator requests) {
        int fewest = Integer.MAX_VALUE;
        for (int i = 1; i <= TRIES && fewest > most; i++) {
            fewest = Math.min(fewest, requests.applyAsInt(i));
        }
        return fewest;
    }

    /** Takes two minutes; {@code AnnouncedWorkIT} of the provider counts the same, request by request. */
    @Test
    @Tag("thorough")
    void announced_work_costs_locks_and_acks_and_a_host_without_work_next_to_nothing() {
        RunningHost host = hub.announcedHost(Duration.ofSeconds(1));
        ReplayingWorker worker = OrderFlow.on(host.worker()).connect();
        await().atMost(PATIENCE).until(() -> host.isAnnounced(2));
        run(host, "first");
        pass(DOUBT.minus(MINUTE));
        awaitQuiet();

        emulator.requests().clear();
        pass(MINUTE);
        assertThat(ofHosts()).as(describe()).hasSizeLessThanOrEqualTo(2);

        // A start, and a lock and an ack for each of four turns and three activities.
        assertThat(fewest(16, i -> helloSequence(host, worker, "order-" + i)))
                .as(describe())
                .isLessThanOrEqualTo(16);
    }

    @Test
    void a_host_that_looks_at_its_own_work_at_once_pays_a_query_for_each_turn_after_the_first() {
        RunningHost host = hub.announcedHost();
        ReplayingWorker worker = OrderFlow.on(host.worker()).connect();
        await().atMost(PATIENCE).until(() -> host.isAnnounced(2));
        run(host, "first");
        awaitQuiet();

        assertThat(fewest(19, i -> helloSequence(host, worker, "order-" + i)))
                .as(describe())
                .isLessThanOrEqualTo(19);
        assertThat(fewest(25, i -> {
                    emulator.requests().clear();
                    run(host, "awaited-" + i);
                    return ofHosts().size();
                }))
                .as("with a client that waits for the end, and reads input and output: %s", describe())
                .isLessThanOrEqualTo(25);
    }

    @Test
    void work_that_is_searched_for_costs_queries_too() {
        RunningHost host = hub.searchingHost();
        ReplayingWorker worker = OrderFlow.on(host.worker()).connect();
        run(host, "first");
        pass(QUIET);

        int seconds = Tier.times(6, 30);
        // And one look of each kind at both edges.
        int most = 130 * seconds / 60 + 4;
        assertThat(fewest(most, i -> {
                    emulator.requests().clear();
                    pass(Duration.ofSeconds(seconds));
                    return ofHosts().size();
                }))
                .as("in %d seconds: %s", seconds, describe())
                .isLessThanOrEqualTo(most);

        // How many looks for work find nothing depends on how long the work takes.
        assertThat(fewest(26, i -> helloSequence(host, worker, "order-" + i)))
                .as(describe())
                .isLessThanOrEqualTo(40);
        // What else is sent does not: a start, a lock and an ack for each of four turns and three activities, three
        // reads of messages. A look at everything that is due may come in between.
        assertThat(fewest(18, i -> {
                    helloSequence(host, worker, "again-" + i);
                    return (int) ofHosts().stream()
                            .filter(request -> !request.body().contains("SELECT TOP"))
                            .count();
                }))
                .as(describe())
                .isLessThanOrEqualTo(18);
    }
}
