package io.sluice.examples;

import io.sluice.examples.ledger.Histories;
import io.sluice.examples.ledger.Ledger;
import io.sluice.examples.ledger.LedgerReport;
import io.sluice.examples.ledger.PublishedEvent;
import io.sluice.examples.orders.Order;
import io.sluice.examples.servers.ProcessFleet;
import io.sluice.examples.servers.RunTopics;
import io.sluice.examples.servers.TopicReader;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.process.JavaProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * One run over an open pipeline: orders in, a runtime killed after a third of them and a relay after two thirds, events
 * counted, the ledger checked.
 */
final class DemoRun {
    private static final Duration READ = Duration.ofSeconds(30);

    private final Pipeline pipeline;
    private final List<Order> orders;
    private final DemoConfig config;
    private final DemoReport report;
    private final Measurements measurements;
    private final long startNanos = System.nanoTime();
    private boolean isRuntimeKilled;
    private @Nullable Instant relayKilledAt;
    private Optional<StoreUse> storeUse = Optional.empty();

    DemoRun(Pipeline pipeline, List<Order> orders, DemoConfig config, DemoReport report) {
        this.pipeline = pipeline;
        this.orders = orders;
        this.config = config;
        this.report = report;
        this.measurements = new Measurements(pipeline.cosmos().emulator().orElse(null));
    }

    ExitCode run() {
        try (OrderFlow flow = OrderFlow.start(pipeline, orders, config.ordersPerSecond(), measurements::take)) {
            if (!flow.awaitEnd(config.timeLimit(), () -> goOn(flow.board()))) {
                report.stuck(flow.board(), pipeline.provider());
                return ExitCode.STUCK;
            }
            measurements.closeCosts();
            storeUse = measurements.storeUse(orders.size(), pipeline);
            Map<String, List<HistoryEvent>> histories = Histories.read(
                    pipeline.provider(), orders.stream().map(Order::orderId).toList());
            flow.awaitEvents(histories.values().stream().mapToLong(List::size).sum());
            return audit(flow.board(), histories);
        }
    }

    /** What the run asked of the store; nothing where there is no request log. */
    Optional<StoreUse> storeUse() {
        return storeUse;
    }

    /** Time since the run began. */
    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    private void goOn(OrderBoard board) {
        report.progress(elapsed(), board, measurements.latencySoFar());
        if (!isRuntimeKilled && board.done() >= board.total() / 3) {
            isRuntimeKilled = true;
            replaceOne(pipeline.runtimes());
        }
        if (relayKilledAt == null && board.done() >= board.total() * 2 / 3) {
            relayKilledAt = Instant.now();
            replaceOne(pipeline.relays());
        }
    }

    private void replaceOne(ProcessFleet fleet) {
        JavaProcess killed = fleet.killOne();
        report.replaced(killed, fleet.startOne());
    }

    private ExitCode audit(OrderBoard board, Map<String, List<HistoryEvent>> histories) {
        pipeline.relays().close();
        LedgerReport ledger = Ledger.audit(histories, readAll("history", PublishedEvent::of));
        DeadLetterCheck deadLetters = DeadLetterCheck.of(readAll("dead-letters", DeadLetter::of));
        List<String> surprises = new OutcomeCheck(board, orders, pipeline.warehouse()).surprises();
        report.outcomes(board, surprises);
        report.ledger(ledger, orders.size());
        report.deadLetters(deadLetters);
        report.measurements(measurements, relayKilledAt);
        if (!ledger.isExact() || !deadLetters.isAsExpected()) {
            return ExitCode.LEDGER_NOT_EXACT;
        }
        return surprises.isEmpty() ? ExitCode.EXACT : ExitCode.WRONG_OUTCOME;
    }

    private <T> List<T> readAll(String topic, Function<ConsumerRecord<String, String>, T> reading) {
        RunTopics kafka = pipeline.kafka();
        return TopicReader.readAll(kafka.bootstrapServers(), kafka.topic(topic), READ, reading);
    }
}
