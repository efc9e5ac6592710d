package io.sluice.relay.ledger.process;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import dev.failsafe.function.CheckedSupplier;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.Opened;
import io.sluice.relay.ledger.watch.Watch;
import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Emulator and broker of a run, with a container; a proxy stands before the broker for who goes through it. */
public final class Servers implements AutoCloseable {
    /** Begins the names of all topics. */
    public static final String PREFIX = "ledger";

    private static final int BROKER_MEGABYTES = 512;
    private static final RetryPolicy<Object> BUSY = RetryPolicy.builder()
            .handleIf(failure -> failure instanceof ProviderException e && e.retryable())
            .withDelay(Duration.ofMillis(500))
            .withMaxDuration(Duration.ofMinutes(2))
            .withMaxRetries(-1)
            .build();

    private final Opened opened = new Opened();
    private final List<JavaProcess> programs;
    private final @Nullable CosmosEmulator emulator;
    private final String bootstrap;
    private final KafkaProxy kafka;
    private final CosmosStoreConfig store;

    /** Where a run's logs are. */
    public static Path folder(String run, String what) {
        return Path.of("target", run, what + "-" + System.currentTimeMillis()).toAbsolutePath();
    }

    /** In this process, where the emulator can be told to fail. */
    public static Servers here() {
        return new Servers();
    }

    /**
     * As processes of their own.
     *
     * @param emulatorMegabytes of heap
     * @param environment what is unusual about them
     */
    public static Servers apart(Path folder, int emulatorMegabytes, boolean watched, Map<String, String> environment) {
        return new Servers(
                start(
                        JavaProgram.of(EmulatorProgram.class).named("emulator").with(environment),
                        emulatorMegabytes,
                        watched,
                        folder),
                start(
                        JavaProgram.of(BrokerProgram.class).named("broker").with(environment),
                        BROKER_MEGABYTES,
                        watched,
                        folder));
    }

    private static JavaProcess start(JavaProgram program, int megabytes, boolean watched, Path folder) {
        return (watched ? program.watched(megabytes) : program.small(megabytes))
                .start(folder.resolve(program.name() + ".log"));
    }

    private Servers() {
        emulator = opened.add(CosmosEmulator.start(EmulatorConfig.inMemory()));
        var broker = opened.add(EmbeddedKafka.start(EmbeddedKafka.SHORT_GROUP_SESSIONS));
        programs = List.of();
        bootstrap = broker.bootstrapServers();
        kafka = opened.add(KafkaProxy.before(bootstrap));
        store = provision(emulator.endpoint());
    }

    private Servers(JavaProcess emulator, JavaProcess broker) {
        this.emulator = null;
        opened.add(emulator::end);
        opened.add(broker::end);
        programs = List.of(emulator, broker);
        bootstrap = broker.awaitPrinted(BrokerProgram.LISTENS);
        kafka = opened.add(KafkaProxy.before(bootstrap));
        store = provision(emulator.awaitPrinted(EmulatorProgram.LISTENS));
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
    public static <T> T retry(CheckedSupplier<T> opening) {
        return Failsafe.with(BUSY).get(opening);
    }

    /** The container. */
    public CosmosStoreConfig store() {
        return store;
    }

    /** The emulator of this process. */
    public CosmosEmulator emulator() {
        if (emulator == null) {
            throw new IllegalStateException("the emulator is a process of its own");
        }
        return emulator;
    }

    /** The broker's own address, which a failure of the proxy does not concern. */
    public String bootstrap() {
        return bootstrap;
    }

    /** What stands before the broker. */
    public KafkaProxy kafka() {
        return kafka;
    }

    /** Those that are processes, the emulator first. */
    public List<JavaProcess> programs() {
        return programs;
    }

    /** Where both listen. */
    public Watch.Ports ports() {
        return new Watch.Ports(
                URI.create(store.endpoint()).getPort(),
                URI.create("tcp://" + bootstrap).getPort());
    }

    @Override
    public void close() {
        opened.close();
    }
}
