package io.sluice.relay.ledger;

import io.sluice.relay.Drain;
import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.StopSignal;
import io.sluice.relay.ledger.audit.Audit;
import io.sluice.relay.ledger.audit.OrderTimes;
import io.sluice.relay.ledger.audit.Progress;
import io.sluice.relay.ledger.audit.Topic;
import io.sluice.relay.ledger.load.Store;
import io.sluice.relay.ledger.load.WaitingTimers;
import io.sluice.relay.ledger.process.Fleet;
import io.sluice.relay.ledger.process.Fleet.Kind;
import io.sluice.relay.ledger.process.RuntimeProgram;
import io.sluice.relay.ledger.process.Servers;
import io.sluice.relay.ledger.watch.ProcFiles;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Many timers that become due within a minute, of as many instances that no process remembers: emulator, broker, relay
 * and runtime as processes. Each must fire once, and its events must be published once.
 */
final class TimersRun {
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration SPREAD = Duration.ofSeconds(60);
    private static final int EMULATOR_MEGABYTES = 4_096;

    private final int count;
    private final boolean dispatched;
    private final int writesPerSecond;

    private TimersRun(Settings settings) {
        this.count = settings.number("count", 10_000);
        this.dispatched = settings.isSet("dispatched", true);
        this.writesPerSecond = settings.number("writesPerSecond", 400);
        settings.refuseUnknown();
    }

    /** Prints one line of a table, and says whether all is well. */
    static boolean print(Settings settings) throws Exception {
        return new TimersRun(settings).run();
    }

    private boolean run() throws Exception {
        var folder = Servers.folder("timers", String.valueOf(count));
        try (var servers = Servers.apart(folder, EMULATOR_MEGABYTES, false, Map.of());
                var store = new Store(servers.store());
                var fleet = new Fleet(folder, environment(servers))) {
            long due = System.currentTimeMillis() + START.toMillis() + 1_000L * count / writesPerSecond;
            new WaitingTimers(store).write(count, due, SPREAD.toMillis());
            fleet.provision();
            fleet.joinWorking(Kind.RELAY, Map.of());
            var runtime = fleet.joinWorking(Kind.RUNTIME, Map.of());
            if (dispatched) {
                runtime.awaitPrinted("work is announced");
            }
            long early = due - System.currentTimeMillis();
            if (early < 0) {
                throw new IllegalStateException("the first timers were due before all works: write fewer a second");
            }
            new StopSignal().restFor(Duration.ofMillis(early));
            try (var topic = new Topic(servers.bootstrap(), Servers.PREFIX + ".history")) {
                var left = new Progress(topic, store).drain(count, 0, () -> true);
                fleet.requireAlive();
                var times = OrderTimes.of(topic.read(), List.of());
                var report = Audit.of(topic.read(), LedgerRun.truth(store, 0, folder, false));
                System.out.printf(
                        Locale.ROOT,
                        "%d timers, %s: late %.1f s in the median, %.1f s for 99 of 100, %.1f s at most; runtime resident %.0f MB; %s%n",
                        count,
                        dispatched ? "announced" : "queried",
                        times.timersLate(0.5) / 1_000.0,
                        times.timersLate(0.99) / 1_000.0,
                        times.timersLate(1) / 1_000.0,
                        ProcFiles.look(runtime.pid()).rssMegabytes(),
                        report.findings().isEmpty() && left.equals(Drain.NOTHING)
                                ? "each fired once"
                                : "LEFT " + left + ", " + report.findings());
                return report.findings().isEmpty() && left.equals(Drain.NOTHING);
            }
        }
    }

    private Map<String, String> environment(Servers servers) {
        var environment =
                RelayEnvironment.of(servers.store(), servers.bootstrap(), Servers.PREFIX, RelayEnvironment.SMALL);
        environment.putAll(Map.of(
                RelayEnvironment.ANNOUNCES,
                String.valueOf(dispatched),
                "LEDGER_FEED_LEVEL",
                "INFO",
                RuntimeProgram.IMMEDIATE,
                "true",
                RuntimeProgram.KEEP_SECONDS,
                "0"));
        return environment;
    }
}
