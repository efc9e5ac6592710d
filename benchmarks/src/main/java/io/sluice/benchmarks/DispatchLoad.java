package io.sluice.benchmarks;

import io.sluice.testkit.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * What a turn costs and how long it waits when runtimes query for work and when relays announce it, by the number of
 * processes and physical partitions; and what a process and the relay ask while nothing happens.
 */
final class DispatchLoad {
    private static final Map<String, String> OPTIONS = Map.of(
            "ways", "polled,announced",
            "partitions", "1,4,16",
            "processes", "1,2,5,10",
            "dispatchers", "2",
            "turns", "100",
            "paced", "50",
            "runs", "1",
            "idle", "60",
            "settle", "130",
            "baseline", "");

    private static final int WRITERS = 4;
    private static final int WARM_UPS = 20;
    private static final Duration BETWEEN_PACED = Duration.ofMillis(100);
    /** After which pauses between queries have grown to their longest, and the relay has swept again what it took. */
    private static final Duration UNTIL_IDLE = Duration.ofSeconds(30);
    /** What is announced later than its turn ended must cost nothing either. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);

    private final Options options;
    private final Results results;

    private DispatchLoad(Options options, Results results) {
        this.options = options;
        this.results = results;
    }

    /**
     * Measures every combination.
     *
     * @param arguments {@code ways}; {@code partitions}; {@code processes}; {@code dispatchers} of each; {@code turns}
     *     of a run, written at once, and {@code paced}, written each tenth of a second; {@code runs}; seconds of the
     *     {@code idle} window, 0 for none, and to {@code settle} before it where work is announced; {@code baseline}
     */
    static void run(String... arguments) {
        var load = new DispatchLoad(Options.of(OPTIONS, arguments), Results.named("dispatch"));
        try (var kafka = EmbeddedKafka.start()) {
            load.run(kafka);
        }
    }

    private void run(EmbeddedKafka kafka) {
        for (String way : options.all("ways")) {
            for (int partitions : options.numbers("partitions")) {
                try (var site = new DispatchSite(Way.named(way), partitions, kafka)) {
                    String name = way + "-" + partitions + "-";
                    if (options.number("idle") > 0) {
                        results.add(name + "1", idle(site, Way.named(way)));
                    }
                    for (int processes : options.numbers("processes")) {
                        turns(site, name + processes, processes);
                    }
                }
            }
        }
        results.printRatios(options.baseline());
    }

    private Map<String, Double> idle(DispatchSite site, Way way) {
        site.addRuntime(options.number("dispatchers"), options.number("dispatchers"));
        Wait.during(way == Way.ANNOUNCED ? Duration.ofSeconds(options.number("settle")) : UNTIL_IDLE);
        site.forget();
        Wait.during(Duration.ofSeconds(options.number("idle")));
        double perMinute = 60.0 / options.number("idle");
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("idleRequestsAMinute", site.ofRuntimes().requests() * perMinute);
        figures.put("idleRequestUnitsAMinute", site.ofRuntimes().requestUnits() * perMinute);
        figures.put("idleRelayRequestsAMinute", site.ofRelay().requests() * perMinute);
        figures.put("idleRelayRequestUnitsAMinute", site.ofRelay().requestUnits() * perMinute);
        site.endRuntimes();
        return figures;
    }

    private void turns(DispatchSite site, String name, int processes) {
        while (site.runtimes() < processes) {
            site.addRuntime(options.number("dispatchers"), 0);
        }
        atOnce(site, WARM_UPS);
        for (int run = 0; run < options.number("runs"); run++) {
            Map<String, Double> figures = new LinkedHashMap<>();
            int turns = options.number("turns");
            var times = atOnce(site, turns);
            Wait.during(AFTERWARDS);
            figures.put("turnsPerSecond", turns / times.seconds());
            figures.put("requestsPerTurn", (double) site.ofRuntimes().requests() / turns);
            figures.put("requestUnitsPerTurn", site.ofRuntimes().requestUnits() / turns);
            if (options.number("paced") > 0) {
                times = paced(site, options.number("paced"));
                figures.put("waitMedianMillis", times.waitMillis(50));
                figures.put("waitP99Millis", times.waitMillis(99));
            }
            results.add(name, figures);
        }
    }

    private static TurnTimes atOnce(DispatchSite site, int turns) {
        site.forget();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            int first = writer;
            writers.add(CompletableFuture.runAsync(() -> IntStream.iterate(first, i -> i < turns, i -> i + WRITERS)
                    .forEach(i -> site.startOrchestration())));
        }
        writers.forEach(CompletableFuture::join);
        return awaitAcks(site, turns);
    }

    private static TurnTimes paced(DispatchSite site, int turns) {
        site.forget();
        for (int i = 0; i < turns; i++) {
            Wait.during(BETWEEN_PACED);
            site.startOrchestration();
        }
        return awaitAcks(site, turns);
    }

    private static TurnTimes awaitAcks(DispatchSite site, int turns) {
        Wait.until(turns + " turns are acked", () -> site.times().acked() == turns);
        return site.times();
    }
}
