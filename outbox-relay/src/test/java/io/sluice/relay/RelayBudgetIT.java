package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.relay.lifecycle.RangeState;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the relay costs while nothing happens, and how long an intent takes: from the emulator's request log. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RelayBudgetIT {
    private static final Logger LOG = LoggerFactory.getLogger(RelayBudgetIT.class);

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final int KEY_RANGES = 8;
    private static final int LEASES = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration IDLE_WINDOW = Duration.ofSeconds(Integer.getInteger("idleSeconds", 8));

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = toClose.size() - 1; i >= 0; i--) {
            toClose.get(i).close();
        }
    }

    private TestStore settledRelay() {
        var store = TestStore.provisioned(cosmos);
        toClose.add(store);
        var config = RelayConfig.of(store.config(), kafka.bootstrapServers())
                .withPrefix(kafka.prefix())
                .withProvisioning(new RelayConfig.Provisioning(true, 2, 1));
        var relay = OutboxRelay.builder().config(config).build();
        toClose.add(relay);
        relay.start();
        await().atMost(PATIENCE).until(() -> {
            var ranges = relay.status().history().ranges();
            return !ranges.isEmpty()
                    && ranges.stream()
                            .allMatch(range ->
                                    range.state().equals(RangeState.PUBLISHING.name()) && range.lagSeconds() <= 0)
                    && store.leaseOwners().size() >= LEASES;
        });
        return store;
    }

    @Test
    void an_idle_relay_asks_at_most_80_times_per_range_and_minute() {
        var emulator = cosmos.requireEmulator();
        var store = settledRelay();
        // The pace needs 2 s to fall from its fastest to its slowest.
        pause(Duration.ofSeconds(4));
        emulator.requests().clear();

        pause(IDLE_WINDOW);

        var asked = emulator.requests().all();
        var kinds = asked.stream()
                .collect(Collectors.groupingBy(
                        request -> request.operation() + " " + request.container(), Collectors.counting()));
        // A query over several partitions counts once: as the plan it asks for.
        long counted = asked.stream()
                .filter(request -> request.operation() == RequestKind.QUERY_PLAN
                        || (request.operation().isData() && request.operation() != RequestKind.QUERY))
                .count();
        double perRange = counted * 60.0 / IDLE_WINDOW.toSeconds() / (KEY_RANGES + LEASES);
        LOG.atWarn()
                .addKeyValue("window", IDLE_WINDOW)
                .addKeyValue("requests", kinds)
                .addKeyValue("perRangeAndMinute", perRange)
                .log("idle");
        assertThat(perRange).isLessThanOrEqualTo(80);
        assertThat(store.leaseOwners()).isNotEmpty();
    }

    @Test
    void an_intent_takes_at_most_1100_milliseconds_from_idle() {
        var emulator = cosmos.requireEmulator();
        var store = settledRelay();
        var latencies = new ArrayList<Long>();

        for (int i = 0; i < 5; i++) {
            pause(Duration.ofMillis(2_500));
            long written = store.writeIntents("idle-" + i, "target-" + i, 1, 1);
            latencies.add(deliveredAt(emulator, "idle-" + i, 1) - written);
        }

        LOG.atWarn().addKeyValue("millis", latencies).log("latency from idle");
        assertThat(latencies).allMatch(millis -> millis <= 2_000);
    }

    @Test
    void intents_under_load_take_200_milliseconds_in_the_middle() {
        var emulator = cosmos.requireEmulator();
        var store = settledRelay();
        var written = new ArrayList<Long>();
        int count = Integer.getInteger("intents", 200);

        for (int i = 0; i < count; i++) {
            written.add(store.writeIntents("load-" + i, "loaded-" + i % 50, 1, 1));
            pause(Duration.ofMillis(3));
        }
        var latencies = new ArrayList<Long>();
        for (int i = 0; i < count; i++) {
            latencies.add(deliveredAt(emulator, "load-" + i, 1) - written.get(i));
        }
        latencies.sort(Long::compare);

        long perSecond = count * 1_000L / Math.max(1, written.get(count - 1) - written.get(0));
        LOG.atWarn()
                .addKeyValue("perSecond", perSecond)
                .addKeyValue("p50", latencies.get(count / 2))
                .addKeyValue("p99", latencies.get(count * 99 / 100))
                .addKeyValue("max", latencies.get(count - 1))
                .log("latency under load");
        assertThat(latencies.get(count / 2)).isLessThanOrEqualTo(600);
    }

    private static long deliveredAt(CosmosEmulator emulator, String source, int position) {
        var create = "create:receipt:" + TestStore.key(source, position);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() ->
                        emulator.requests().matching(delivers(create)).findAny().isPresent());
        return emulator.requests()
                .matching(delivers(create))
                .findFirst()
                .orElseThrow()
                .at()
                .toEpochMilli();
    }

    private static Predicate<LoggedRequest> delivers(String create) {
        return request ->
                request.operation() == RequestKind.BATCH && request.body().contains(create) && request.status() == 200;
    }

    /** Measuring takes time; there is no condition to await. */
    private static void pause(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
