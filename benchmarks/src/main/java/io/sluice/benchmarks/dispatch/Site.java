package io.sluice.benchmarks.dispatch;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.benchmarks.relay.RelayProgram;
import io.sluice.benchmarks.relay.RelayTestbed;
import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.benchmarks.store.RequestCost;
import io.sluice.provider.cosmos.Connectivity;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.testkit.EmbeddedKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A store of its own, with a relay, on which runtimes learn in one way where work is. */
final class Site implements AutoCloseable {
    /** As many processes can share the turns. */
    private static final int TOPIC_PARTITIONS = 16;

    private static final Duration RELAY_EXPECTED = Duration.ofSeconds(30);
    private static final String RUNTIME = "runtime";
    private static final String RELAY = "relay";
    private static final String CLIENT = "client";

    private final Way way;
    private final String prefix;
    private final EmulatedStore emulated;
    private final CosmosStoreConfig config;
    private final EmbeddedKafka kafka;
    private final RelayProgram relay;
    private final AtomicInteger instances = new AtomicInteger();

    private Site(Way way, String prefix, EmulatedStore emulated, EmbeddedKafka kafka) {
        this.way = way;
        this.prefix = prefix;
        this.emulated = emulated;
        this.config = emulated.container(way.text());
        this.kafka = kafka;
        this.relay = RelayProgram.start(Map.of(
                "COSMOS_ENDPOINT", config.endpoint(),
                "COSMOS_KEY", config.key(),
                "COSMOS_DATABASE", config.database(),
                "COSMOS_CONTAINER", config.container(),
                "COSMOS_APPLICATION", RELAY,
                "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                "SLUICE_PREFIX", prefix,
                "SLUICE_TOPIC_PARTITIONS", Integer.toString(TOPIC_PARTITIONS),
                "SLUICE_TOPIC_REPLICATION", "1",
                "SLUICE_DISPATCH_ENABLED", Boolean.toString(way == Way.ANNOUNCED)));
    }

    /** Starts one whose container has so many physical partitions; returns when its relay has begun to read. */
    static Site start(Way way, int physicalPartitions, EmbeddedKafka kafka) {
        String prefix = way.text() + "-" + physicalPartitions;
        var site = new Site(way, prefix, EmulatedStore.start(physicalPartitions), kafka);
        try {
            // One by one: on few processors several JVMs that start at a time run into each other's time-outs.
            RelayTestbed.await(() -> site.relay.ranges("PUBLISHING").size() == RelayTestbed.ranges(physicalPartitions));
        } catch (RuntimeException e) {
            site.close();
            throw e;
        }
        return site;
    }

    Way way() {
        return way;
    }

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    int physicalPartitions() {
        return emulated.physicalPartitions();
    }

    /**
     * A runtime without dispatchers yet.
     *
     * @param ownWorkAfter how long it waits for the announcements of its own messages
     */
    RuntimeProcess runtime(RuntimeProcess.Fetches fetches, Duration ownWorkAfter) {
        var meters = new SimpleMeterRegistry();
        var builder = CosmosProvider.builder()
                .config(as(RUNTIME))
                .relayExpected(RELAY_EXPECTED)
                .meterRegistry(meters);
        if (way == Way.ANNOUNCED) {
            builder.workFeed(KafkaWorkFeed.builder()
                    .clientProperties(Map.of("bootstrap.servers", kafka.bootstrapServers()))
                    .topicPrefix(prefix)
                    .ownWorkAfter(ownWorkAfter)
                    .meterRegistry(meters)
                    .build());
        }
        return new RuntimeProcess(builder.build(), fetches, meters);
    }

    /** A process that only writes. */
    CosmosProvider client() {
        return CosmosProvider.builder()
                .config(as(CLIENT))
                .relayExpected(RELAY_EXPECTED)
                .build();
    }

    private CosmosStoreConfig as(String application) {
        return config.withConnectivity(new Connectivity(Connectivity.Mode.BY_ENDPOINT, List.of(), application));
    }

    /** An id that no instance has yet. */
    String nextInstance() {
        return "order-" + instances.getAndIncrement();
    }

    /** The group whose members share the turns. */
    String turnGroup() {
        return prefix + "-work-turns";
    }

    /** From now on every request of every process takes this much longer. */
    void delay(Duration requests) {
        emulated.emulator().faults().delay(request -> true, 0, requests);
    }

    /** Requests take as long as they do. */
    void endDelay() {
        emulated.emulator().faults().clear();
    }

    /** Forgets what was asked so far. */
    void forget() {
        emulated.forget();
    }

    /** What runtimes have asked since {@link #forget}. */
    RequestCost ofRuntimes() {
        return of(RUNTIME);
    }

    /** What the relay has asked since {@link #forget}. */
    RequestCost ofRelay() {
        return of(RELAY);
    }

    private RequestCost of(String application) {
        var asked = emulated.asked().stream()
                .filter(request -> request.userAgent().endsWith(application))
                .toList();
        return RequestCost.of(asked, emulated.physicalPartitions());
    }

    @Override
    public void close() {
        relay.close();
        emulated.close();
    }
}
