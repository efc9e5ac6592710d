package io.sluice.relay.ledger;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import dev.failsafe.function.CheckedSupplier;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.ledger.watch.Watch;
import io.sluice.testkit.EmbeddedKafka;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Emulator and broker of a run, with a container; a proxy stands before the broker for who goes through it. */
final class Servers implements AutoCloseable {
    private static final RetryPolicy<Object> BUSY = RetryPolicy.builder()
            .handleIf(failure -> failure instanceof ProviderException e && e.retryable())
            .withDelay(Duration.ofMillis(500))
            .withMaxDuration(Duration.ofMinutes(2))
            .withMaxRetries(-1)
            .build();

    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final List<Program> programs;
    private final @Nullable CosmosEmulator emulator;
    private final String bootstrap;
    private final KafkaProxy kafka;
    private final CosmosStoreConfig store;

    /** In this process, where the emulator can be told to fail. */
    static Servers here() {
        return new Servers();
    }

    /**
     * As processes of their own.
     *
     * @param emulatorMegabytes of heap
     * @param environment what is unusual about them
     */
    static Servers apart(Path folder, int emulatorMegabytes, boolean watched, Map<String, String> environment) {
        var emulator = Program.start(
                new Program.Spec("emulator", EmulatorProgram.class, emulatorMegabytes, watched, List.of(), environment),
                folder);
        var broker = Program.start(
                new Program.Spec("broker", BrokerProgram.class, 512, watched, List.of(), environment), folder);
        return new Servers(emulator, broker);
    }

    private Servers() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
        var broker = EmbeddedKafka.start(EmbeddedKafka.SHORT_GROUP_SESSIONS);
        opened.add(broker::close);
        opened.add(emulator::close);
        programs = List.of();
        bootstrap = broker.bootstrapServers();
        kafka = KafkaProxy.before(bootstrap);
        store = provision(emulator.endpoint());
    }

    private Servers(Program emulator, Program broker) {
        this.emulator = null;
        opened.add(broker::end);
        opened.add(emulator::end);
        programs = List.of(emulator, broker);
        bootstrap = broker.awaitLine(BrokerProgram.LISTENS);
        kafka = KafkaProxy.before(bootstrap);
        store = provision(emulator.awaitLine(EmulatorProgram.LISTENS));
    }

    private static CosmosStoreConfig provision(String endpoint) {
        var config = new CosmosStoreConfig(endpoint, EmulatorConfig.WELL_KNOWN_KEY, "ledger", "orders");
        retry(() -> {
            CosmosStore.provision(config);
            return true;
        });
        return config;
    }

    /** Opens a store on a machine that is so busy that this may take long: again after failures that may pass. */
    static <T> T retry(CheckedSupplier<T> opening) {
        return Failsafe.with(BUSY).get(opening);
    }

    CosmosStoreConfig store() {
        return store;
    }

    /** The emulator of this process. */
    CosmosEmulator emulator() {
        if (emulator == null) {
            throw new IllegalStateException("the emulator is a process of its own");
        }
        return emulator;
    }

    /** The broker's own address, which a failure of the proxy does not concern. */
    String bootstrap() {
        return bootstrap;
    }

    KafkaProxy kafka() {
        return kafka;
    }

    /** Those that are processes, the emulator first. */
    List<Program> programs() {
        return programs;
    }

    Watch.Ports ports() {
        return new Watch.Ports(
                URI.create(store.endpoint()).getPort(),
                URI.create("tcp://" + bootstrap).getPort());
    }

    @Override
    public void close() throws IOException {
        kafka.close();
        opened.forEach(Runnable::run);
    }
}
