package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Report;
import java.util.List;
import java.util.Map;

/** The few figures that a reader wants first. */
final class Highlights {
    private static final String PARTITIONS = "physical partitions";

    /** One figure of one benchmark, and the words that the page shows for it. */
    private record Highlight(String words, String benchmark, String figure, Map<String, String> where) {}

    private static final List<Highlight> ALL = List.of(
            new Highlight(
                    "an orchestration with one activity: requests to Cosmos DB (Rust provider: 29)",
                    "requests",
                    "requests",
                    Map.of("operation", "hello world (1 activity)", PARTITIONS, "1")),
            new Highlight(
                    "the same: its time with a store 5 ms away",
                    "hello",
                    "median time of a hello world",
                    Map.of(PARTITIONS, "1")),
            new Highlight("turns of one process, 16 dispatchers", "provider", "turns", Map.of("dispatchers", "16")),
            new Highlight(
                    "a turn of an instance with 10,000 events in the cache",
                    "history",
                    "median",
                    Map.of("events", "10000", "cache", "warm")),
            new Highlight(
                    "an idle process: requests a minute (Rust provider: 2,413)",
                    "idle",
                    "requests a minute",
                    Map.of(
                            "dispatchers of each kind",
                            "2",
                            "processes",
                            "1",
                            PARTITIONS,
                            "1",
                            "waiting instances",
                            "0")),
            new Highlight(
                    "the same while relays announce work",
                    "dispatch",
                    "the same with looks at everything",
                    Map.of(PARTITIONS, "1")),
            new Highlight(
                    "work of another process, announced: until it is fetched, median",
                    "dispatch",
                    "median, announced",
                    Map.of("queue", "turns")),
            new Highlight(
                    "a runtime's search for work among 1,000,000 documents: request units",
                    "size",
                    "RU",
                    Map.of("operation", "fetch of a turn, nothing there", "documents in the container", "1000000")),
            new Highlight(
                    "an intent that its own ack delivers: median latency at 200 a second",
                    "outbox",
                    "median latency",
                    Map.of("way", "own try of the ack", "intents a second", "200")),
            new Highlight(
                    "an intent that the relay delivers: median latency at 200 a second",
                    "relay",
                    "median latency of an intent",
                    Map.of("load", "200 a second")),
            new Highlight("events to Kafka, exactly once", "relay", "events, exactly once", Map.of()),
            new Highlight(
                    "after `kill -9` of a relay: until another publishes",
                    "relay",
                    "takeover after `kill -9`",
                    Map.of()));

    private Highlights() {}

    /** A row for each highlight that the reports contain. */
    static String table(List<Report> reports) {
        var text = new StringBuilder("| | |\n|---|---:|\n");
        for (var highlight : ALL) {
            reports.stream()
                    .filter(report -> report.name().equals(highlight.benchmark()))
                    .flatMap(report -> report.figures().stream())
                    .filter(figure -> figure.name().equals(highlight.figure()) && figure.isAt(highlight.where()))
                    .findFirst()
                    .ifPresent(figure -> text.append(Tables.row(List.of(highlight.words(), measured(figure)))));
        }
        return text.toString();
    }

    private static String measured(Figure figure) {
        return (Numbers.spread(figure.measured()) + " " + figure.unit()).strip();
    }
}
