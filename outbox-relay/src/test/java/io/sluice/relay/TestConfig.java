package io.sluice.relay;

import io.sluice.program.http.OpsPort;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;

/** Configurations of relays under test: missing topics are made, of two partitions with one copy. */
public final class TestConfig {
    private TestConfig() {}

    public static RelayConfig of(TestStore store, KafkaCluster kafka) {
        return of(store.config(), kafka.bootstrapServers(), kafka.prefix());
    }

    public static RelayConfig of(CosmosStoreConfig store, String bootstrapServers, String prefix) {
        return RelayConfig.of(store, bootstrapServers)
                .withPrefix(prefix)
                .withProvisioning(new RelayConfig.Provisioning(true, 2, 1));
    }

    /** Intents, and the counts of dead letters and refused commands, are looked for this often. */
    public static RelayConfig withSweep(RelayConfig config, Duration interval) {
        var feed = config.feed();
        return config.withFeed(new RelayConfig.Feed(
                feed.pageSize(),
                feed.shortestInterval(),
                feed.longestInterval(),
                interval,
                feed.fromBeginning(),
                feed.from()));
    }

    /** An intent that the store refuses so often is a dead letter. */
    static RelayConfig.Delivery givingUpAfter(int attempts) {
        return new RelayConfig.Delivery(
                4,
                Duration.ofSeconds(1),
                Duration.ofDays(6),
                new RelayConfig.GivingUp(attempts, Duration.ofDays(3), true));
    }

    /** Answers operators on a free port. */
    public static RelayConfig.Operations operations(int retriesPerSecond) {
        return operations(Duration.ofMinutes(5), retriesPerSecond, 0, 0);
    }

    public static RelayConfig.Operations operations(
            Duration liveness, int retriesPerSecond, int throughputLimit, double throughputShare) {
        return new RelayConfig.Operations(
                Duration.ofSeconds(10),
                liveness,
                retriesPerSecond,
                throughputLimit,
                throughputShare,
                new OpsPort("127.0.0.1", 0, OpsClient.TOKEN));
    }
}
