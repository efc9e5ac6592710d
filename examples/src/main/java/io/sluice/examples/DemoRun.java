package io.sluice.examples;

import io.sluice.examples.ledger.Ledger;
import io.sluice.examples.ledger.LedgerReport;
import io.sluice.examples.ledger.PublishedEvent;
import io.sluice.examples.orders.Order;
import io.sluice.examples.servers.Pause;
import io.sluice.examples.servers.RelayProcess;
import io.sluice.examples.servers.RunTopics;
import io.sluice.examples.servers.TopicReader;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** One run over an open pipeline: orders in, a relay killed halfway, events counted, the ledger checked. */
final class DemoRun {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration CATCH_UP = Duration.ofSeconds(30);
    private static final Duration READ = Duration.ofSeconds(30);

    private final Pipeline pipeline;
    private final List<Order> orders;
    private final DemoConfig config;
    private final DemoReport report;
    private final OrderBoard board;
    private final Measurements measurements;
    private final long startNanos = System.nanoTime();
    private @Nullable Instant killedAt;

    DemoRun(Pipeline pipeline, List<Order> orders, DemoConfig config, DemoReport report) {
        this.pipeline = pipeline;
        this.orders = orders;
        this.config = config;
        this.report = report;
        this.board = new OrderBoard(orders);
        this.measurements = new Measurements(pipeline.cosmos().emulator().orElse(null));
    }

    ExitCode run() {
        RunTopics kafka = pipeline.kafka();
        try (Commands commands = new Commands(kafka.bootstrapServers(), kafka.prefix());
                HistoryFollower follower = HistoryFollower.start(
                        kafka.bootstrapServers(),
                        kafka.topic("history"),
                        List.of(board::take, measurements::take, new Customers(orders, commands)::take));
                OrderEntry entry = OrderEntry.start(orders, board, commands, kafka, config.ordersPerSecond())) {
            if (!follow(follower, entry)) {
                report.stuck(board, pipeline.dispatcher().provider());
                return ExitCode.STUCK;
            }
            measurements.closeCosts();
            Map<String, List<HistoryEvent>> histories = Histories.read(
                    pipeline.dispatcher().provider(),
                    orders.stream().map(Order::orderId).toList());
            awaitPublished(histories, follower);
            return audit(histories);
        }
    }

    /** Returns whether all orders ended within the time limit. */
    private boolean follow(HistoryFollower follower, OrderEntry entry) {
        while (!board.awaitDone(TICK)) {
            follower.requireAlive();
            entry.requireAlive();
            pipeline.relays().requireAlive();
            progress();
            if (killedAt == null && board.done() >= board.total() / 2) {
                replaceOneRelay();
            }
            if (elapsed().compareTo(config.timeLimit()) > 0) {
                return false;
            }
        }
        progress();
        return true;
    }

    private void replaceOneRelay() {
        RelayProcess killed = pipeline.relays().killOne();
        killedAt = Instant.now();
        report.relayReplaced(killed, pipeline.relays().startOne());
    }

    private void progress() {
        report.progress(
                elapsed(), board, measurements.latencySoFar(), pipeline.relays().size());
    }

    /**
     * Waits for the last events, which may reach Kafka after the last order has ended; what does not come in time is
     * missing.
     */
    private void awaitPublished(Map<String, List<HistoryEvent>> histories, HistoryFollower follower) {
        long expected = histories.values().stream().mapToLong(List::size).sum();
        long deadline = System.nanoTime() + CATCH_UP.toNanos();
        while (board.events() < expected && System.nanoTime() < deadline) {
            follower.requireAlive();
            pipeline.relays().requireAlive();
            Pause.sleep(TICK.dividedBy(10));
        }
    }

    private ExitCode audit(Map<String, List<HistoryEvent>> histories) {
        pipeline.relays().close();
        LedgerReport ledger = Ledger.audit(histories, readAll("history", PublishedEvent::of));
        DeadLetterCheck deadLetters = DeadLetterCheck.of(readAll("dead-letters", DeadLetter::of));
        List<String> surprises =
                new OutcomeCheck(board, orders, pipeline.dispatcher().warehouse()).surprises();
        report.outcomes(board, surprises);
        report.ledger(ledger, orders.size());
        report.deadLetters(deadLetters);
        report.measurements(measurements, killedAt, pipeline.dispatcher().counters());
        if (!ledger.isExact() || !deadLetters.isAsExpected()) {
            return ExitCode.LEDGER_NOT_EXACT;
        }
        report.verdict(elapsed(), surprises.isEmpty());
        return surprises.isEmpty() ? ExitCode.EXACT : ExitCode.WRONG_OUTCOME;
    }

    private <T> List<T> readAll(String topic, Function<ConsumerRecord<String, String>, T> reading) {
        RunTopics kafka = pipeline.kafka();
        return TopicReader.readAll(kafka.bootstrapServers(), kafka.topic(topic), READ, reading);
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }
}
