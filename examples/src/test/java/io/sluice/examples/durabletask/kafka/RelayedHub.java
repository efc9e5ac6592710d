package io.sluice.examples.durabletask.kafka;

import io.sluice.program.http.OpsPort;
import io.sluice.provider.cosmos.Connectivity;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosProviderBuilder;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.relay.OutboxRelay;
import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** A task hub of a store, with a relay that publishes its lifecycle and announces its work. Not thread-safe. */
final class RelayedHub implements AutoCloseable {
    /** How the store's log names requests of a host. */
    static final String HOST = "a-host";

    static final Duration STATISTICS_WINDOW = Duration.ofMinutes(1);
    private static final Duration STUCK_AFTER = Duration.ofSeconds(3);
    private static final Duration RELAY_TIMEOUT = Duration.ofSeconds(30);

    private final CosmosStoreConfig store;
    private final KafkaCluster kafka;
    private final OutboxRelay relay;
    private final Deque<RunningHost> hosts = new ArrayDeque<>();

    private RelayedHub(CosmosStoreConfig store, KafkaCluster kafka, RelayConfig config) {
        this.store = store;
        this.kafka = kafka;
        this.relay = OutboxRelay.builder().config(config).build();
        relay.start();
    }

    /** With streams whose state is in this folder. */
    static RelayedHub withLifecycle(CosmosStoreConfig store, KafkaCluster kafka, Path state) {
        return new RelayedHub(
                store,
                kafka,
                config(store, kafka)
                        .withStreams(new RelayConfig.Streams(true, state, 1, 0, "", STATISTICS_WINDOW, STUCK_AFTER)));
    }

    /** With announcements, and without streams. */
    static RelayedHub announced(CosmosStoreConfig store, KafkaCluster kafka) {
        return new RelayedHub(
                store,
                kafka,
                config(store, kafka)
                        .withDispatch(new RelayConfig.Dispatch(true, Duration.ofMillis(50), Duration.ofSeconds(30))));
    }

    private static RelayConfig config(CosmosStoreConfig store, KafkaCluster kafka) {
        CosmosStore.provision(store);
        RelayConfig config = RelayConfig.of(store, kafka.bootstrapServers())
                .withPrefix(kafka.prefix())
                .withProvisioning(new RelayConfig.Provisioning(true, 2, 1));
        RelayConfig.Operations usual = config.operations();
        return config.withOperations(new RelayConfig.Operations(
                usual.drainTimeout(),
                usual.livenessTimeout(),
                usual.retriesPerSecond(),
                0,
                new OpsPort("127.0.0.1", -1, null)));
    }

    /** A host that searches the store for work; it ends with this. */
    RunningHost searchingHost() {
        return added(new RunningHost(provider()));
    }

    /** A host whose work is announced to it; it ends with this. */
    RunningHost announcedHost() {
        return announcedHost(Duration.ZERO);
    }

    /** The same, which waits so long for the announcement of what it has sent itself. */
    RunningHost announcedHost(Duration ownWorkAfter) {
        return added(RunningHost.announced(
                provider(),
                KafkaWorkFeed.builder()
                        .clientProperties(Map.of("bootstrap.servers", kafka.bootstrapServers()))
                        .topicPrefix(kafka.prefix())
                        .ownWorkAfter(ownWorkAfter)));
    }

    /** A host that was told of no relay, and searches the store for work; it ends with this. */
    RunningHost hostThatKnowsOfNoRelay() {
        return added(new RunningHost(provider().relayWherePublished(RELAY_TIMEOUT)));
    }

    private CosmosProviderBuilder provider() {
        return CosmosProvider.builder()
                .config(store.withConnectivity(new Connectivity(Connectivity.Mode.BY_ENDPOINT, List.of(), HOST)))
                .dropOrphanEvents(true)
                .relayExpected(RELAY_TIMEOUT);
    }

    private RunningHost added(RunningHost host) {
        hosts.push(host);
        return host;
    }

    @Override
    public void close() {
        hosts.forEach(RunningHost::close);
        relay.close();
    }
}
