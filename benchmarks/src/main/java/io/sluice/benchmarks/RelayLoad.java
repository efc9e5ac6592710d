package io.sluice.benchmarks;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * How fast relays deliver intents and publish events, by their number and that of physical partitions; what they ask
 * while nothing happens, and how long the ranges of a killed one stay without a publisher.
 */
final class RelayLoad {
    private static final Map<String, String> OPTIONS = Map.of(
            "partitions", "4",
            "relays", "1,2,4",
            "intents", "1000",
            "rate", "200",
            "turns", "400",
            "runs", "5",
            "warmups", "4",
            "idle", "10",
            "takeover", "1",
            "baseline", "");

    private static final Duration UNTIL_IDLE = Duration.ofSeconds(3);
    private static final int TARGETS = 50;

    private final Options options;
    private final Results results;
    /** Names the instances of a run. */
    private int phase;

    private RelayLoad(Options options, Results results) {
        this.options = options;
        this.results = results;
    }

    /**
     * Measures every combination.
     *
     * @param arguments {@code partitions}; {@code relays}; {@code intents} of a run, written at a {@code rate} a
     *     second; {@code turns} of a run, of twenty events each, written while no events are published; {@code runs},
     *     after {@code warmups}: until its code is compiled, a relay may need more processor time than there is;
     *     seconds of the {@code idle} window, 0 for none; {@code takeover} 1 to kill a relay of several;
     *     {@code baseline}
     */
    static void run(String... arguments) {
        new RelayLoad(Options.of(OPTIONS, arguments), Results.named("relay")).run();
    }

    private void run() {
        for (int partitions : options.numbers("partitions")) {
            try (var site = new RelaySite(partitions)) {
                for (int relays : options.numbers("relays")) {
                    site.share(relays);
                    measure(site, partitions + "-" + relays);
                    if (relays > 1 && options.number("takeover") == 1) {
                        results.add(partitions + "-" + relays, site.killOne());
                    }
                }
            }
        }
        results.printRatios(options.baseline());
    }

    private void measure(RelaySite site, String name) {
        for (int run = -options.number("warmups"); run < options.number("runs"); run++) {
            Map<String, Double> figures = new LinkedHashMap<>(intents(site));
            figures.putAll(events(site));
            if (run >= 0) {
                results.add(name, figures);
            }
        }
        if (options.number("idle") > 0) {
            results.add(name, idle(site));
        }
    }

    /** Each from a source of its own, left to the relays. */
    private Map<String, Double> intents(RelaySite site) {
        int count = options.number("intents");
        String sources = "source-" + phase++ + "-";
        site.store().forget();
        double before = site.processorMillis();
        var commits = new ArrayList<CompletableFuture<Void>>();
        long startNanos = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long dueNanos = startNanos + Duration.ofSeconds(1).toNanos() * i / options.number("rate");
            Wait.during(Duration.ofNanos(dueNanos - System.nanoTime()));
            commits.add(site.client()
                    .writeIntent(sources + i, "target-" + i % TARGETS)
                    .toFuture());
        }
        commits.forEach(CompletableFuture::join);
        Wait.until(count + " intents are delivered", () -> times(site).delivered() == count);
        double processor = site.processorMillis() - before;
        var times = times(site);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("intentsPerSecond", count / times.seconds());
        figures.put("latencyMedianMillis", times.latencyMillis(50));
        figures.put("latencyP99Millis", times.latencyMillis(99));
        figures.put("processorMillisPerIntent", processor / count);
        return figures;
    }

    private static IntentTimes times(RelaySite site) {
        return IntentTimes.of(site.store().asked());
    }

    /** As any reader of committed records sees them. */
    private Map<String, Double> events(RelaySite site) {
        site.pauseEvents(true);
        int events = site.client().writeEvents("run-" + phase++, options.number("turns"));
        try (var published = site.published()) {
            double before = site.processorMillis();
            site.pauseEvents(false);
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("eventsPerSecond", published.perSecond(events));
            figures.put("processorMillisPerEvent", (site.processorMillis() - before) / events);
            return figures;
        }
    }

    private Map<String, Double> idle(RelaySite site) {
        Wait.during(UNTIL_IDLE);
        site.store().forget();
        Wait.during(Duration.ofSeconds(options.number("idle")));
        long asked = site.store().asked().stream().filter(RelayLoad::isQuery).count();
        return Map.of("idleRequestsPerRangeAndMinute", asked * 60.0 / options.number("idle") / site.ranges());
    }

    /** A query over several partitions counts once, by its plan. */
    private static boolean isQuery(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY_PLAN
                || (request.operation().isData() && request.operation() != RequestKind.QUERY);
    }
}
