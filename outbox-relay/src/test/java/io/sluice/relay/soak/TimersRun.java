package io.sluice.relay.soak;

import static org.awaitility.Awaitility.await;

import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.Provider;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.Drain;
import io.sluice.relay.Main;
import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.StopSignal;
import io.sluice.relay.ledger.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Many timers that become due within a minute, or many instances that nobody can run: emulator, broker, relay and
 * runtime as processes. Prints one line of a table, and ends with 1 when a timer did not come.
 */
public final class TimersRun {
    private static final String PREFIX = "timers";
    private static final Duration HANG = Duration.ofMinutes(2);
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration SPREAD = Duration.ofSeconds(60);
    private static final Duration GAP = Duration.ofSeconds(1);
    private static final int MEGABYTES = 256;
    private static final int EMULATOR_MEGABYTES = 4_096;
    private static final int BROKER_MEGABYTES = 512;
    private static final int WRITES_A_SECOND = Integer.getInteger("timers.writesPerSecond", 400);
    private static final long STRANGE_VERSION = 9_009_009;

    private final StopSignal never = new StopSignal();
    private final boolean dispatched = Boolean.parseBoolean(System.getProperty("timers.dispatched", "true"));
    private final int count = Integer.getInteger("timers.count", 10_000);
    private final int strange = Integer.getInteger("timers.strange", 0);
    private final Path folder = Path.of("target", "timers", String.valueOf(System.currentTimeMillis()))
            .toAbsolutePath();
    private double mostMegabytes;

    private TimersRun() {}

    /** {@code -Dtimers.count}, {@code -Dtimers.dispatched=false}; {@code -Dtimers.strange} for what nobody can run. */
    public static void main(String[] arguments) throws Exception {
        System.exit(new TimersRun().run() ? 0 : 1);
    }

    private boolean run() throws Exception {
        Files.createDirectories(folder);
        try (var emulator = start("emulator", EmulatorProgram.class, EMULATOR_MEGABYTES, Map.of());
                var broker = start("broker", BrokerProgram.class, BROKER_MEGABYTES, Map.of())) {
            var endpoint = SoakRun.after(EmulatorProgram.LISTENS, emulator.awaitLine(EmulatorProgram.LISTENS));
            var config = new CosmosStoreConfig(endpoint, EmulatorConfig.WELL_KNOWN_KEY, PREFIX, "orders");
            StoreStart.retry(() -> {
                CosmosStore.provision(config);
                return true;
            });
            var bootstrap = SoakRun.after(BrokerProgram.LISTENS, broker.awaitLine(BrokerProgram.LISTENS));
            try (var store = new Store(config)) {
                return strange > 0 ? besideStrange(store, config, bootstrap) : timers(store, config, bootstrap);
            }
        }
    }

    private Program start(String name, Class<?> main, int megabytes, Map<String, String> environment) {
        return start(name, main, megabytes, environment, List.of());
    }

    private Program start(
            String name, Class<?> main, int megabytes, Map<String, String> environment, List<String> arguments) {
        return Program.start(new Program.Spec(name, main, megabytes, false, arguments, environment), folder);
    }

    private Program startRelay(CosmosStoreConfig config, String bootstrap) {
        var environment = environment(config, bootstrap, "relay");
        try (var provisioning = start("provision", Main.class, MEGABYTES, environment, List.of("provision"))) {
            await().atMost(START).until(() -> !provisioning.isAlive());
        }
        var relay = start("relay", Main.class, MEGABYTES, environment, List.of("run"));
        relay.awaitLine(SoakRun.RELAY_WORKS);
        return relay;
    }

    private Program startRuntime(CosmosStoreConfig config, String bootstrap) {
        var runtime = start("runtime", TimerRuntimeProgram.class, MEGABYTES, environment(config, bootstrap, "runtime"));
        runtime.awaitLine(dispatched ? "work is announced" : TimerRuntimeProgram.WORKS);
        return runtime;
    }

    private Map<String, String> environment(CosmosStoreConfig config, String bootstrap, String application) {
        var environment = RelayEnvironment.of(config, bootstrap, PREFIX, RelayEnvironment.SMALL);
        environment.putAll(Map.of(
                RelayEnvironment.ANNOUNCES,
                String.valueOf(dispatched),
                "SOAK_FEED_LEVEL",
                "INFO",
                "COSMOS_APPLICATION",
                application,
                RuntimeProgram.IMMEDIATE,
                "true"));
        return environment;
    }

    private boolean timers(Store store, CosmosStoreConfig config, String bootstrap) throws Exception {
        long due = System.currentTimeMillis() + START.toMillis() + 1_000L * count / WRITES_A_SECOND;
        new WaitingTimers(store)
                .write(new WaitingTimers.Timers("timer", count, due, SPREAD.toMillis(), WaitingTimers.VERSION_PACKED));
        try (var relay = startRelay(config, bootstrap);
                var runtime = startRuntime(config, bootstrap)) {
            long early = due - System.currentTimeMillis();
            if (early < 0) {
                throw new IllegalStateException("the first timers were due before all works: write fewer a second");
            }
            never.restFor(Duration.ofMillis(early));
            var left = new Drain(() -> remaining(runtime), HANG).awaitEnd();
            long end = System.currentTimeMillis();
            relay.mustLive();
            var line = last(runtime);
            print(due, end, line, "first timer to last %.0f s".formatted((end - due) / 1_000.0));
            return left.equals(Drain.NOTHING);
        }
    }

    private String remaining(Program runtime) {
        runtime.mustLive();
        mostMegabytes = Math.max(mostMegabytes, ProcFiles.look(runtime.pid()).rssMegabytes());
        long fired = Long.parseLong(last(runtime).split(" ", -1)[2]);
        return fired >= count ? Drain.NOTHING : fired + " fired";
    }

    private String last(Program runtime) {
        return runtime.lastLine(TimerRuntimeProgram.TURNS);
    }

    /** One instance a second that can be run, beside many that can't. */
    private boolean besideStrange(Store store, CosmosStoreConfig config, String bootstrap) throws Exception {
        try (var relay = startRelay(config, bootstrap);
                var runtime = startRuntime(config, bootstrap);
                var giver = StoreStart.retry(
                        () -> CosmosProvider.builder().config(config).build())) {
            give(giver, "before", 60);
            mostMegabytes = ProcFiles.look(runtime.pid()).rssMegabytes();
            print(System.currentTimeMillis() - 60_000, System.currentTimeMillis(), last(runtime), "before");
            new WaitingTimers(store)
                    .write(new WaitingTimers.Timers(
                            "strange", strange, System.currentTimeMillis(), 1, STRANGE_VERSION));
            for (int minute = 1; minute <= 8; minute++) {
                long from = System.currentTimeMillis();
                give(giver, "minute-" + minute, 60);
                mostMegabytes = ProcFiles.look(runtime.pid()).rssMegabytes();
                print(from, System.currentTimeMillis(), last(runtime), "minute " + minute);
            }
            relay.mustLive();
            await().atMost(START).until(() -> last(runtime).contains(" starts " + 60 * 9 + " "));
            return true;
        }
    }

    private void give(Provider giver, String name, int instances) throws InterruptedException {
        for (int i = 0; i < instances; i++) {
            giver.enqueueForOrchestrator(
                    new WorkItem.StartOrchestration(
                            name + "-" + i,
                            "Plain",
                            String.valueOf(System.currentTimeMillis()),
                            "1.0.0",
                            null,
                            null,
                            null,
                            1),
                    null);
            never.restFor(GAP);
        }
    }

    private void print(long fromMillis, long untilMillis, String turns, String what) throws Exception {
        var requests = RequestCounts.between(folder.resolve("emulator.log"), fromMillis, untilMillis);
        System.out.printf(
                Locale.ROOT,
                "%s, %s: %s, resident %.0f MB, requests %d, of the runtime %d, refused %d, in %.0f s%n",
                dispatched ? "announced" : "queried",
                what,
                turns,
                mostMegabytes,
                requests.all(),
                requests.runtimes(),
                requests.refused(),
                (untilMillis - fromMillis) / 1_000.0);
    }
}
