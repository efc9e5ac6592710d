package io.sluice.relay.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.relay.OutboxRelay;
import io.sluice.relay.TestConfig;
import io.sluice.relay.TestStore;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.feed.EventBacklog;
import io.sluice.relay.feed.KeyRange;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the relay's scans may take of a container, and that others go first. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ThroughputLimitIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration OFTEN = Duration.ofSeconds(1);
    private static final String LOW = "Low";
    private static final int A_SECOND = 10;

    private static List<LoggedRequest> requests(TestStore store) {
        return cosmos.requireEmulator()
                .requests()
                .matching(request -> store.config().container().equals(request.container()))
                .toList();
    }

    private static boolean isScan(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.partitionKey() == null;
    }

    @Test
    void scans_ask_with_low_priority_and_nothing_else_does() {
        try (var store = TestStore.provisioned(cosmos)) {
            var config = TestConfig.withSweep(TestConfig.of(store, kafka), OFTEN)
                    .withDispatch(new RelayConfig.Dispatch(true, Duration.ofMillis(100), OFTEN));
            try (var relay = OutboxRelay.builder().config(config).build()) {
                relay.start();
                await().atMost(PATIENCE).until(() -> !scanned(store).isEmpty());
                var beforeAll = cosmos.requireEmulator().requests().all();
                cosmos.requireEmulator().requests().clear();
                store.writeHistory("order-1", 1, 3);
                store.writeIntents("source", "target", 1, 2);

                await().atMost(PATIENCE).until(() -> scanned(store).size() >= 5);

                assertThat(beforeAll)
                        .as("the right to read throughput is not needed")
                        .noneMatch(request -> request.operation() == RequestKind.OFFER);
                assertThat(requests(store))
                        .filteredOn(ThroughputLimitIT::isScan)
                        .allSatisfy(request -> assertThat(request.priority())
                                .as(request.body())
                                .isEqualTo(LOW));
                assertThat(requests(store))
                        .filteredOn(request -> !isScan(request) && request.operation() != RequestKind.QUERY_PLAN)
                        .isNotEmpty()
                        .allSatisfy(request -> assertThat(request.priority())
                                .as(request.toString())
                                .isEmpty());
            }
        }
    }

    /** Which fields and types scans have asked for. */
    private static Set<String> scanned(TestStore store) {
        return requests(store).stream()
                .filter(ThroughputLimitIT::isScan)
                .map(request ->
                        request.body().substring(0, Math.min(160, request.body().length())))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static double seconds(long beganNanos) {
        return Duration.ofNanos(System.nanoTime() - beganNanos).toMillis() / 1_000.0;
    }

    @Test
    void scans_of_both_clients_take_no_more_than_their_limit_and_nothing_of_it_from_others() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            var config = TestConfig.of(store, kafka);
            var limited = config.withOperations(config.operations().withScanLimit(A_SECOND));
            try (var connections = RelayConnections.openStore(limited, null)) {
                var backlog = new EventBacklog(connections.feed().container());
                var failures = new FailedIntents(
                        connections.store().container(),
                        connections.store().clockObserver(),
                        connections.store().limits(),
                        connections.clock());
                cosmos.requireEmulator().requests().clear();
                long beganNanos = System.nanoTime();
                var lists = new Thread(
                        () -> repeat(() -> failures.unreported(failures.ranges().get(0), null)), "lists");
                lists.start();

                repeat(() -> backlog.newerThan(0, KeyRange.cut(1).get(0)));
                lists.join();

                double seconds = seconds(beganNanos);
                double taken = requests(store).stream()
                        .filter(ThroughputLimitIT::isScan)
                        .mapToDouble(LoggedRequest::requestCharge)
                        .sum();
                assertThat(taken).as("what they would take at once").isGreaterThan(3.0 * A_SECOND);
                assertThat(taken).isLessThan((seconds + 2) * A_SECOND);
                assertThat(seconds).isGreaterThan(1);
            }
        }
    }

    private static void repeat(Runnable scan) {
        for (int i = 0; i < 15; i++) {
            scan.run();
        }
    }
}
