package io.sluice.relay.ledger;

import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.relay.Opened;
import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.StopSignal;
import io.sluice.relay.ledger.audit.Topic;
import io.sluice.relay.ledger.load.Orders;
import io.sluice.relay.ledger.load.Store;
import io.sluice.relay.ledger.load.StoreOrders;
import io.sluice.relay.ledger.process.Fleet;
import io.sluice.relay.ledger.process.Fleet.Kind;
import io.sluice.relay.ledger.process.RuntimeProgram;
import io.sluice.relay.ledger.process.Servers;
import io.sluice.testkit.process.JavaProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What a failure is done to: emulator, broker behind a proxy, a relay and two runtimes as processes, and orders that
 * come all the time. Not thread-safe.
 */
final class FailureBed implements AutoCloseable {
    private static final Duration GAP = Duration.ofSeconds(1);
    private static final Duration RELAY = Duration.ofSeconds(30);
    private static final int SERVER_MEGABYTES = 512;

    private final Setup setup;
    private final Opened opened = new Opened();
    private final StopSignal never = new StopSignal();
    private final Servers servers;
    private final Fleet fleet;
    private final Store store;
    private final Topic topic;
    private final Orders orders;
    private long beginMillis;

    /**
     * What is unusual about the processes, by their environment.
     *
     * @param servers of emulator and broker
     * @param relay of relays
     * @param oddRuntime of the first runtime
     */
    record Setup(Map<String, String> servers, Map<String, String> relay, Map<String, String> oddRuntime) {
        static final Setup USUAL = new Setup(Map.of(), Map.of(), Map.of());

        static Setup servers(String name, Object value) {
            return new Setup(Map.of(name, value.toString()), Map.of(), Map.of());
        }
    }

    /** Starts everything, and waits until it works on announcements. */
    FailureBed(Path folder, Setup setup) throws Exception {
        this.setup = setup;
        try {
            servers = opened.add(Servers.apart(folder, SERVER_MEGABYTES, false, setup.servers()));
            var environment = RelayEnvironment.of(
                    servers.store(), servers.kafka().bootstrapServers(), Servers.PREFIX, RelayEnvironment.SMALL);
            environment.putAll(Map.of(
                    RelayEnvironment.ANNOUNCES,
                    "true",
                    "LEDGER_FEED_LEVEL",
                    "INFO",
                    RuntimeProgram.IMMEDIATE,
                    "true",
                    RuntimeProgram.KEEP_SECONDS,
                    "5"));
            fleet = opened.add(new Fleet(folder, environment));
            // A broker that is busy may not know at once what a relay has made at its start.
            fleet.provision();
            fleet.join(Kind.RELAY, false, setup.relay());
            fleet.awaitWorking();
            fleet.join(Kind.RUNTIME, false, setup.oddRuntime());
            fleet.join(Kind.RUNTIME);
            fleet.members(Kind.RUNTIME).forEach(runtime -> runtime.awaitPrinted("work is announced"));
            store = opened.add(new Store(servers.store()));
            topic = opened.add(new Topic(servers.bootstrap(), Servers.PREFIX + ".history"));
            var giver = opened.add(Servers.retry(() -> CosmosProvider.builder()
                    .config(servers.store())
                    .relayExpected(RELAY)
                    .build()));
            // However many are unfinished, the next one comes.
            orders = opened.add(new Orders(new StoreOrders(giver), () -> Integer.MAX_VALUE, number -> {}));
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    /** Orders begin to come. */
    void startOrders() {
        orders.start(Integer.MAX_VALUE, GAP);
    }

    /** Starts one more runtime and waits until it works. */
    JavaProcess startRuntime() {
        return fleet.joinWorking(Kind.RUNTIME, Map.of());
    }

    /** Kills the relay, starts another at once with these further settings, and waits until it works. */
    void replaceRelay(Map<String, String> settings) {
        fleet.takeOldest(Kind.RELAY).kill();
        fleet.joinWorking(Kind.RELAY, settings.isEmpty() ? setup.relay() : settings);
    }

    /** The failure begins now. */
    void begins() {
        beginMillis = System.currentTimeMillis();
    }

    long beginMillis() {
        return beginMillis;
    }

    /** Lets this much time pass. */
    void rest(Duration time) throws InterruptedException {
        never.restFor(time);
    }

    Servers servers() {
        return servers;
    }

    Fleet fleet() {
        return fleet;
    }

    Store store() {
        return store;
    }

    Topic topic() {
        return topic;
    }

    Orders orders() {
        return orders;
    }

    @Override
    public void close() {
        opened.close();
    }
}
