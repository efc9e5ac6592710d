package io.sluice.examples;

import io.sluice.examples.ledger.LedgerReport;
import io.sluice.examples.measure.LatencySummary;
import io.sluice.examples.orders.OrderBook;
import io.sluice.examples.orders.Outcome;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.testkit.judge.Finding;
import io.sluice.testkit.process.JavaProcess;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything the demo prints. */
final class DemoReport {
    private static final int SHOWN = 20;
    private static final Duration NEAR_THE_KILL = Duration.ofSeconds(2);

    private final PrintStream out;

    DemoReport(PrintStream out) {
        this.out = out;
    }

    void orderBook(OrderBook book) {
        line("Sluice, order fulfilment: %d orders", book.orders().size());
        if (!book.rejected().isEmpty()) {
            line(
                    "%d lines of the order book can't be read and are not started:",
                    book.rejected().size());
            shown(book.rejected());
        }
    }

    void started(Pipeline pipeline) {
        line("  Cosmos  %s", pipeline.cosmos().description());
        line("  Kafka   %s", pipeline.kafka().description());
        line(
                "  %d relays and %d runtimes as processes; Kafka says where work is, intents are left to the relays",
                Pipeline.RELAYS, Pipeline.RUNTIMES);
        line("");
    }

    void progress(Duration elapsed, OrderBoard board, LatencySummary latency) {
        line(
                "%3d s  orders %d/%d  events %d  outbox p50 %d ms p99 %d ms",
                elapsed.toSeconds(),
                board.done(),
                board.total(),
                board.events(),
                latency.p50Millis(),
                latency.p99Millis());
    }

    void replaced(JavaProcess killed, JavaProcess started) {
        line(
                "       %s (pid %d) killed with SIGKILL, %s (pid %d) started",
                killed.name(), killed.pid(), started.name(), started.pid());
    }

    void outcomes(OrderBoard board, List<String> surprises) {
        line("");
        line("Outcomes");
        List<Outcome> outcomes = List.of(Outcome.values());
        TextTable table =
                new TextTable(Stream.concat(Stream.of("type"), outcomes.stream().map(Outcome::word))
                        .toArray(String[]::new));
        board.counts()
                .forEach((type, counts) -> table.row(Stream.concat(
                                Stream.of(type.word()),
                                outcomes.stream().map(outcome -> counts.getOrDefault(outcome, 0)))
                        .toArray()));
        out.print(table);
        line(
                "  %s",
                surprises.isEmpty()
                        ? "Each order as the order book foresees; stock, payments and shipments agree."
                        : surprises.size() + " things are not as the order book foresees:");
        shown(surprises);
    }

    void ledger(LedgerReport report, int orders) {
        line("");
        line("Ledger, by a read_committed consumer from the beginning");
        line(
                "  %d orders and %d sub-orchestrations, %d events in their histories, %d on the topic",
                orders, report.instances() - orders, report.storedEvents(), report.publishedEvents());
        line(
                "  missing %d, duplicate %d, out of order %d, unexpected %d, altered %d; sub-orchestrations not started"
                        + " exactly once: %d of %d",
                report.count(Finding.Kind.LOST),
                report.count(Finding.Kind.DUPLICATE),
                report.count(Finding.Kind.OUT_OF_ORDER),
                report.count(Finding.Kind.UNEXPECTED),
                report.count(Finding.Kind.ALTERED),
                report.wrongStarts().size(),
                report.subOrchestrations());
        line("  %s", report.isExact() ? "EXACT" : "NOT EXACT");
        shown(report.faults());
    }

    void deadLetters(DeadLetterCheck check) {
        line("");
        line("Dead letters: %d, expected the %d bad commands", check.letters().size(), BadCommand.ALL.size());
        check.letters().stream().limit(SHOWN).forEach(letter -> line("  %s: %s", letter.commandId(), letter.reason()));
        check.faults().forEach(fault -> line("  WRONG: %s", fault));
    }

    void measurements(Measurements measurements, @Nullable Instant killedAt) {
        line("");
        line("Outbox, %s", measurements.method());
        TextTable table = new TextTable("", "intents", "p50 ms", "p99 ms", "max ms");
        if (killedAt != null) {
            // What was committed just before the kill may have met it.
            row(
                    table,
                    "before the relay was killed",
                    measurements.latency().summaryBefore(killedAt.minus(NEAR_THE_KILL)));
        }
        row(table, "whole run, with the kills", measurements.latency().summary());
        table.row("a reconciler polling every", "", "2 000", "", "");
        out.print(table);
        measurements.costs().ifPresent(costs -> {
            line("");
            line("Requests to the store, from the emulator's log; idle queries included, "
                    + "a query over all partitions is 4 requests");
            out.print(costs);
        });
    }

    /** Compares the run with a polled one. */
    void storeUse(StoreUse dispatched, StoreUse polled) {
        line("");
        line("Requests to the store: dispatched through Kafka, as above, and polled, a short run without kills");
        TextTable table = new TextTable("", "dispatched", "polled");
        both(
                table,
                "runtimes, requests per order",
                dispatched.runtimes().perOrder(),
                polled.runtimes().perOrder());
        both(
                table,
                "runtimes, RU per order",
                dispatched.runtimes().unitsPerOrder(),
                polled.runtimes().unitsPerOrder());
        both(
                table,
                "runtimes, idle, requests a minute",
                dispatched.runtimes().idlePerMinute(),
                polled.runtimes().idlePerMinute());
        both(
                table,
                "relays, requests per order",
                dispatched.relays().perOrder(),
                polled.relays().perOrder());
        both(
                table,
                "relays, idle, requests a minute",
                dispatched.relays().idlePerMinute(),
                polled.relays().idlePerMinute());
        out.print(table);
    }

    private static void both(TextTable table, String name, double dispatched, double polled) {
        table.row(name, Math.round(dispatched), Math.round(polled));
    }

    void verdict(Duration elapsed, ExitCode code) {
        if (code == ExitCode.EXACT || code == ExitCode.WRONG_OUTCOME) {
            line("");
            line(
                    "%s %d s.",
                    code == ExitCode.EXACT
                            ? "Every event exactly once and in order, every order as foreseen."
                            : "Exact ledger, but wrong outcomes.",
                    elapsed.toSeconds());
        }
    }

    void stuck(OrderBoard board, Provider provider) {
        List<String> stuck = board.stuck();
        line("");
        line(
                "STUCK: %d of %d orders have not ended within the time limit",
                board.total() - board.done(), board.total());
        shown(stuck);
        stuck.stream().limit(SHOWN).forEach(entry -> {
            String instance = entry.strip().substring(0, entry.strip().indexOf(": "));
            line("  in the store: %s", stored(instance, provider));
        });
    }

    void brokenOff(String why) {
        line("");
        line("The demo can't go on: %s", why);
    }

    private static String stored(String instance, Provider provider) {
        try {
            var history = provider.read(instance);
            return instance
                    + (history.isEmpty()
                            ? " has no history"
                            : " has " + history.size() + " events, the last is "
                                    + history.get(history.size() - 1).type());
        } catch (ProviderException e) {
            return instance + " can't be read: " + e.getMessage();
        }
    }

    private static void row(TextTable table, String name, LatencySummary summary) {
        table.row(name, summary.count(), summary.p50Millis(), summary.p99Millis(), summary.maxMillis());
    }

    private void shown(List<?> entries) {
        entries.stream().limit(SHOWN).forEach(entry -> line("    %s", entry));
        if (entries.size() > SHOWN) {
            line("    and %d more", entries.size() - SHOWN);
        }
    }

    private void line(String format, @Nullable Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}
