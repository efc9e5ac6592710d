package io.sluice.relay;

import static io.sluice.relay.RangesOf.publishing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.relay.SickPartition.Sickness;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One of sixteen physical partitions, into which two were split, is sick: the others are served as before. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class SickPartitionIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @RegisterExtension
    final Opened opened = new Opened();

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int PARTITIONS = 16;
    private static final int SICK = 5;
    private static final int SOURCES = 8;
    private static final int SHARES = 4;
    /** Intents to healthy partitions before, and during the sickness. */
    private static final int BEFORE = 60;

    private static final int DURING = 160;
    private static final long PACE_MILLIS = 50;
    /** What a loaded machine may add. */
    private static final double NOISE_MILLIS = Tier.times(2_000, 500);

    private final Map<String, Long> written = new HashMap<>();
    private TestStore store;
    private OutboxRelay relay;
    private int position;

    @BeforeEach
    void open() {
        store = opened.add(TestStore.provisioned(cosmos));
        relay = opened.add(OutboxRelay.builder()
                .config(TestConfig.of(store, kafka).withOperations(TestConfig.operations(10)))
                .name("relay-" + kafka.prefix())
                .build());
        relay.start();
        SickPartition.split(cosmos.requireEmulator(), store.config(), PARTITIONS);
        await().atMost(PATIENCE).until(() -> publishing(relay).size() == PARTITIONS);
    }

    @AfterEach
    void clear() {
        cosmos.requireEmulator().faults().clear();
    }

    /** Writes intents at a steady pace, one in four of them to the targets that are given besides. */
    private List<String> write(List<String> sources, Iterator<String> targets, Iterator<String> others, int count)
            throws Exception {
        var healthy = new ArrayList<String>();
        var pace = Executors.newSingleThreadScheduledExecutor();
        try {
            for (int i = 0; i < count; i++) {
                int number = i;
                pace.schedule(
                                () -> {
                                    var source = sources.get(number % SOURCES);
                                    var target = targets.next();
                                    healthy.add(target);
                                    written.put(target, System.currentTimeMillis());
                                    store.writeIntents(source, target, ++position, 1, 0);
                                    if (number % SHARES == 0) {
                                        store.writeIntents(source, others.next(), ++position, 1, 0);
                                    }
                                },
                                PACE_MILLIS,
                                TimeUnit.MILLISECONDS)
                        .get();
            }
        } finally {
            pace.shutdown();
        }
        return healthy;
    }

    private void awaitDelivered(List<String> targets) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(arrivals().keySet()).containsAll(targets));
    }

    /** When the message of each target was written, by the emulator's log. */
    private Map<String, Long> arrivals() {
        var arrivals = new HashMap<String, Long>();
        for (var request :
                cosmos.requireEmulator().requests().matching(this::isDelivery).toList()) {
            var target = String.valueOf(request.partitionKey()).replaceAll("[\\[\\]\"]", "");
            arrivals.putIfAbsent(target, request.at().plus(request.took()).toEpochMilli());
        }
        return arrivals;
    }

    private boolean isDelivery(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.status() < 300
                && store.config().container().equals(request.container())
                && request.body().contains("create:");
    }

    private double percentile(List<String> targets, double part) {
        var arrivals = arrivals();
        var sorted = targets.stream()
                .mapToLong(target -> arrivals.getOrDefault(target, Long.MAX_VALUE) - written.getOrDefault(target, 0L))
                .sorted()
                .toArray();
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
    }

    static Stream<Sickness> sicknesses() {
        return Stream.of(Sickness.SILENT, Sickness.UNAVAILABLE, Sickness.THROTTLED)
                .limit(Tier.times(1, 3));
    }

    @ParameterizedTest
    @MethodSource("sicknesses")
    void intents_to_the_others_are_delivered_as_before_and_health_names_the_sick_one(Sickness sickness)
            throws Exception {
        var emulator = cosmos.requireEmulator();
        var ops = new OpsClient(relay.opsPort());
        List<String> before;
        List<String> during;
        List<String> late = new ArrayList<>();
        try (var sick = SickPartition.well(emulator, store.config(), SICK)) {
            var sources = sick.others("source", SOURCES).toList();
            before = write(
                    sources,
                    sick.others("before", BEFORE).iterator(),
                    sick.others("more", BEFORE).iterator(),
                    BEFORE);
            awaitDelivered(before);

            sick.begin(sickness);
            late.addAll(sick.instances("late", DURING / SHARES).toList());
            during = write(sources, sick.others("during", DURING).iterator(), late.iterator(), DURING);
            awaitDelivered(during);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(ops.get("/health/ready").body())
                            .contains("intents: the store ")
                            .contains(" partition " + sick.name()));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(ops.get("/metrics").body())
                            .contains("sluice_relay_partition_unavailable{range=\"" + sick.name() + "\"} 1.0"));
            assertThat(arrivals()).doesNotContainKeys(late.toArray(String[]::new));
        }

        awaitDelivered(late);
        assertThat(percentile(during, 0.5))
                .as("half of them, before %.0f ms", percentile(before, 0.5))
                .isLessThan(1.5 * percentile(before, 0.5) + NOISE_MILLIS);
        assertThat(percentile(during, 0.99))
                .as("all but one in a hundred, before %.0f ms", percentile(before, 0.99))
                .isLessThan(3 * percentile(before, 0.99) + NOISE_MILLIS);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ops.get("/health/ready").body()).doesNotContain("intents: the store "));
        assertThat(late)
                .allSatisfy(
                        target -> assertThat(store.ids(target, "orch_queue")).hasSize(1));
    }
}
