package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.relay.SickPartition.Sickness;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Partitions that throttle, or are silent, keep no events of the others waiting, in a heap of 256 MB. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class SickFeedIT {
    private static final Logger LOG = LoggerFactory.getLogger(SickFeedIT.class);

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @RegisterExtension
    final Opened opened = new Opened();

    private static final int EVENTS = Integer.getInteger("sluice.sick.events", 200);
    private static final int READS = 200;
    private static final Duration PAUSE = Duration.ofMillis(30);
    /** Of a machine with other work. */
    private static final long ALLOWANCE_MILLIS = Tier.times(2_000, 500);

    private static Map<String, String> environment(TestStore store) {
        return RelayEnvironment.of(
                store.config(),
                kafka.bootstrapServers(),
                kafka.prefix(),
                Map.of(
                        "SLUICE_TOPIC_PARTITIONS", "2",
                        "SLUICE_TOPIC_REPLICATION", "1",
                        "SLUICE_OPS_PORT", "0",
                        "SLUICE_FEED_LONGEST_INTERVAL", "200"));
    }

    static Stream<Arguments> sicknesses() {
        return Stream.of(
                        Arguments.of(4, 1, Sickness.LATE),
                        Arguments.of(16, 4, Sickness.THROTTLED),
                        Arguments.of(16, 4, Sickness.SILENT))
                .limit(Tier.times(1, 3));
    }

    @ParameterizedTest(name = "{1} of {0} are {2}")
    @MethodSource("sicknesses")
    void events_of_the_other_partitions_come_as_before(int partitions, int sick, Sickness sickness) throws Exception {
        var emulator = cosmos.requireEmulator();
        try (var store = TestStore.provisioned(cosmos)) {
            SickPartition.split(emulator, store.config(), partitions);
            var ranges = emulator.partitions()
                    .of(store.config().database(), store.config().container());
            var instances = IntStream.iterate(0, i -> i + 1)
                    .mapToObj(i -> "order-" + i)
                    .filter(instance ->
                            ranges.subList(0, sick).stream().noneMatch(range -> SickPartition.has(range, instance)))
                    .limit(EVENTS)
                    .toList();
            var relay = opened.add(RelayProcess.start(environment(store)));
            relay.awaitPrinted(RelayProcess.RUNNING);
            var times = opened.add(new EventTimes(store, kafka.bootstrapServers(), kafka.prefix()));
            times.write(instances, Duration.ZERO);

            var before = times.write(instances, PAUSE);
            var all = IntStream.range(0, sick)
                    .mapToObj(number -> opened.add(new SickPartition(emulator, store.config(), number, sickness)))
                    .toList();
            var during = times.write(instances, PAUSE);

            LOG.atWarn()
                    .addKeyValue("before", before)
                    .addKeyValue("during", during)
                    .log("{} of {} partitions are {}", sick, partitions, sickness);
            assertThat(all).allSatisfy(partition -> assertThat(partition.hits()).isPositive());
            assertThat(during.p50()).isLessThan(before.p50() * 3 / 2 + ALLOWANCE_MILLIS);
            assertThat(during.p99()).isLessThan(before.p99() * 3 + ALLOWANCE_MILLIS);
            assertThat(relay.isAlive()).isTrue();
            all.forEach(SickPartition::close);
            times.write(
                    all.stream()
                            .flatMap(partition -> partition.instances("late", 2))
                            .toList(),
                    Duration.ZERO);
        }
    }

    @Test
    void ranges_are_read_at_their_pace_although_the_store_is_far() throws Exception {
        var emulator = cosmos.requireEmulator();
        try (var store = TestStore.provisioned(cosmos)) {
            SickPartition.split(emulator, store.config(), 16);
            var environment = environment(store);
            environment.put("SLUICE_FEED_LONGEST_INTERVAL", "400");
            var relay = opened.add(RelayProcess.start(environment));
            relay.awaitPrinted(RelayProcess.RUNNING);
            var far = emulator.faults().delay(SickFeedIT::isRead, 0, Duration.ofMillis(200));
            try {
                secondsOf(emulator, READS);

                assertThat(secondsOf(emulator, READS))
                        .as("rest and answer allow 27 reads a second")
                        .isLessThan(READS / 20.0);
            } finally {
                far.remove();
            }
        }
    }

    /** How long so many reads of the feed take from now on. */
    private static double secondsOf(CosmosEmulator emulator, int reads) {
        emulator.requests().clear();
        long beganNanos = System.nanoTime();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> emulator.requests().matching(SickFeedIT::isRead).count() >= reads);
        return Duration.ofNanos(System.nanoTime() - beganNanos).toMillis() / 1_000.0;
    }

    private static boolean isRead(LoggedRequest request) {
        return request.operation() == RequestKind.CHANGE_FEED;
    }
}
