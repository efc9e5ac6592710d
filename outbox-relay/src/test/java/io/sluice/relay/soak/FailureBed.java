package io.sluice.relay.soak;

import static org.awaitility.Awaitility.await;

import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.Main;
import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.StopSignal;
import io.sluice.relay.ledger.KafkaProxy;
import io.sluice.relay.ledger.Store;
import io.sluice.relay.ledger.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a failure is done to: emulator, broker behind a proxy, a relay and two runtimes as processes, and orders that
 * come all the time. Not thread-safe.
 */
final class FailureBed implements AutoCloseable {
    static final String PREFIX = "failures";

    private static final String APPLICATION = "COSMOS_APPLICATION";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration GAP = Duration.ofSeconds(1);
    private static final Duration RELAY = Duration.ofSeconds(30);
    private static final int RELAY_MEGABYTES = 256;
    private static final int RUNTIME_MEGABYTES = 192;
    private static final int SERVER_MEGABYTES = 512;
    private static final Map<String, String> SETTINGS =
            Map.of(RelayEnvironment.ANNOUNCES, "true", "SOAK_FEED_LEVEL", "INFO");

    private final Path folder;
    private final Setup setup;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<Program> runtimes = new ArrayList<>();
    private final StopSignal never = new StopSignal();
    private final KafkaProxy kafka;
    private final String bootstrap;
    private final Map<String, String> environment;
    private final Store store;
    private final Topic topic;
    private final StoreOrders orders;
    private Program relay;
    private int started;
    private long beginMillis;
    private long endMillis;

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
        this.folder = folder;
        this.setup = setup;
        try {
            var emulator = own(server("emulator", EmulatorProgram.class));
            var broker = own(server("broker", BrokerProgram.class));
            bootstrap = SoakRun.after(BrokerProgram.LISTENS, broker.awaitLine(BrokerProgram.LISTENS));
            kafka = own(KafkaProxy.before(bootstrap));
            var endpoint = SoakRun.after(EmulatorProgram.LISTENS, emulator.awaitLine(EmulatorProgram.LISTENS));
            var config = new CosmosStoreConfig(endpoint, EmulatorConfig.WELL_KNOWN_KEY, PREFIX, "orders");
            StoreStart.retry(() -> {
                CosmosStore.provision(config);
                return true;
            });
            environment = RelayEnvironment.of(config, kafka.bootstrapServers(), PREFIX, RelayEnvironment.SMALL);
            environment.putAll(SETTINGS);
            // A broker that is busy may not know at once what a relay has made at its start.
            provision();
            relay = startRelay(setup.relay());
            relay.awaitLine(SoakRun.RELAY_WORKS);
            startRuntime(setup.oddRuntime());
            startRuntime();
            awaitAnnounced();
            store = own(new Store(config));
            topic = own(new Topic(bootstrap, PREFIX + ".history"));
            var giver = own(StoreStart.retry(() ->
                    CosmosProvider.builder().config(config).relayExpected(RELAY).build()));
            orders = own(new StoreOrders(giver, GAP));
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T own(T resource) {
        opened.push(resource);
        return resource;
    }

    private Program server(String name, Class<?> main) {
        return Program.start(new Program.Spec(name, main, SERVER_MEGABYTES, false, List.of(), setup.servers()), folder);
    }

    private Program startRelay(Map<String, String> settings) {
        return own(Program.start(relay("relay-" + started++, "run", settings), folder));
    }

    private Program.Spec relay(String name, String command, Map<String, String> settings) {
        var told = new HashMap<>(environment);
        told.putAll(settings);
        told.put(APPLICATION, "relay");
        var main = settings.containsKey(SkewedRelayProgram.CLOCK_SECONDS) ? SkewedRelayProgram.class : Main.class;
        return new Program.Spec(name, main, RELAY_MEGABYTES, false, List.of(command), told);
    }

    /** Starts one more runtime and waits until it works. */
    Program startRuntime() {
        return startRuntime(Map.of());
    }

    private Program startRuntime(Map<String, String> settings) {
        var name = "runtime-" + started++;
        var told = new HashMap<>(environment);
        told.put(RuntimeProgram.JOURNAL, folder.resolve(name + ".journal").toString());
        told.put(RuntimeProgram.IMMEDIATE, "true");
        told.put(RuntimeProgram.KEEP_SECONDS, "5");
        told.put(APPLICATION, "runtime");
        told.putAll(settings);
        var spec = new Program.Spec(name, RuntimeProgram.class, RUNTIME_MEGABYTES, false, List.of(), told);
        var runtime = own(Program.start(spec, folder));
        runtimes.add(runtime);
        runtime.awaitLine(RuntimeProgram.WORKS);
        return runtime;
    }

    private void awaitAnnounced() {
        runtimes.forEach(runtime -> runtime.awaitLine("work is announced"));
    }

    /** The failure begins now, and ends at once unless {@link #ends} is called later. */
    void begins() {
        beginMillis = System.currentTimeMillis();
        endMillis = beginMillis;
    }

    /** The cause of the failure is gone. */
    void ends() {
        endMillis = System.currentTimeMillis();
    }

    long beginMillis() {
        return beginMillis;
    }

    long endMillis() {
        return endMillis;
    }

    /** Lets this much time pass. */
    void rest(Duration time) throws InterruptedException {
        never.restFor(time);
    }

    /** The oldest runtime that was not taken out. */
    Program runtime() {
        return runtimes.get(0);
    }

    /** Takes the oldest runtime out of those that must be alive at the end. */
    Program takeRuntime() {
        return runtimes.remove(0);
    }

    /** This one need not be alive at the end. */
    void takeRuntime(Program runtime) {
        runtimes.remove(runtime);
    }

    /** Kills the relay, starts another at once, and waits until it works. */
    void replaceRelay() throws InterruptedException {
        replaceRelay(setup.relay());
    }

    /** The same; the other relay has these settings. */
    void replaceRelay(Map<String, String> settings) throws InterruptedException {
        relay.kill();
        relay = startRelay(settings);
        relay.awaitLine(SoakRun.RELAY_WORKS);
    }

    /** Lets a program make what topics are missing, as an operator does. */
    void provision() {
        var provisioning = own(Program.start(relay("provision", "provision", Map.of()), folder));
        await().atMost(PATIENCE).pollInterval(LOOK).until(() -> !provisioning.isAlive());
    }

    KafkaProxy kafka() {
        return kafka;
    }

    /** The broker's own address, which a failure of the proxy does not concern. */
    String bootstrap() {
        return bootstrap;
    }

    Store store() {
        return store;
    }

    Topic topic() {
        return topic;
    }

    StoreOrders orders() {
        return orders;
    }

    /** Fails when a process has ended that was not meant to. */
    void mustLive() {
        relay.mustLive();
        runtimes.forEach(Program::mustLive);
    }

    /** Closes everything, the newest first, whatever fails. */
    @Override
    public void close() throws IOException {
        var failed = new IOException("something could not be closed");
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed.addSuppressed(e);
            } catch (Exception e) {
                failed.addSuppressed(e);
            }
        }
        if (failed.getSuppressed().length > 0) {
            throw failed;
        }
    }
}
