package io.sluice.examples.durabletask.kafka;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A relay that publishes the lifecycle of a hub, and a host with a worker of orders, for all tests of a class, which
 * name different instances.
 */
@ResourceLock("the static account and cluster, which are all its classes'")
abstract class RelayedHubTest {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @TempDir
    static Path state;

    @SuppressWarnings("NullAway.Init") // before all tests
    static Published published;

    @SuppressWarnings("NullAway.Init") // before all tests
    static RunningHost host;

    @SuppressWarnings("NullAway.Init") // before all tests
    static RelayedHub hub;

    @BeforeAll
    static void openHub() {
        CosmosStoreConfig store =
                new CosmosStoreConfig(cosmos.endpoint(), cosmos.key(), cosmos.database(), cosmos.container());
        published = new Published(kafka.bootstrapServers(), kafka.prefix());
        hub = RelayedHub.withLifecycle(store, kafka, state);
        host = hub.searchingHost();
        OrderFlow.on(host.worker()).connect();
    }

    @AfterAll
    static void closeHub() {
        hub.close();
        published.close();
    }
}
