package io.sluice.durabletask.kafka;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A relay that publishes the lifecycle of a hub, and a host with a worker of orders, anew for each test. */
@ResourceLock("the static account and cluster, which are all its classes'")
abstract class RelayedHubTest {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @TempDir
    Path state;

    final Published published = new Published(kafka);

    @SuppressWarnings("NullAway.Init") // before each test
    RelayedHub hub;

    @SuppressWarnings("NullAway.Init") // before each test
    RunningHost host;

    @BeforeEach
    void openHub() {
        CosmosStoreConfig store =
                new CosmosStoreConfig(cosmos.endpoint(), cosmos.key(), cosmos.database(), cosmos.container());
        hub = RelayedHub.withLifecycle(store, kafka, state);
        host = hub.searchingHost();
        OrderFlow.on(host.worker()).connect();
    }

    @AfterEach
    void closeHub() {
        hub.close();
    }
}
