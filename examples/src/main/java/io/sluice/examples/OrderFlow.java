package io.sluice.examples;

import io.sluice.examples.orders.Order;
import io.sluice.examples.servers.Pause;
import io.sluice.examples.servers.RunTopics;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Orders on their way through a pipeline: start commands are sent, and events are followed until all have ended. */
final class OrderFlow implements AutoCloseable {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration CATCH_UP = Duration.ofSeconds(30);

    private final Pipeline pipeline;
    private final OrderBoard board;
    private final Commands commands;
    private final HistoryFollower follower;
    private final OrderEntry entry;

    private OrderFlow(
            Pipeline pipeline, OrderBoard board, Commands commands, HistoryFollower follower, OrderEntry entry) {
        this.pipeline = pipeline;
        this.board = board;
        this.commands = commands;
        this.follower = follower;
        this.entry = entry;
    }

    /** Begins to send the orders; {@code listener} gets every event, in a thread of its own. */
    static OrderFlow start(
            Pipeline pipeline, List<Order> orders, int ordersPerSecond, Consumer<HistoryEvent> listener) {
        RunTopics kafka = pipeline.kafka();
        OrderBoard board = new OrderBoard(orders);
        Commands commands = new Commands(kafka.bootstrapServers(), kafka.prefix());
        try {
            HistoryFollower follower = HistoryFollower.start(
                    kafka.bootstrapServers(),
                    kafka.topic("history"),
                    List.of(board::take, listener, new Customers(orders, commands)::take));
            OrderEntry entry = OrderEntry.start(orders, board, commands, kafka, ordersPerSecond);
            return new OrderFlow(pipeline, board, commands, follower, entry);
        } catch (RuntimeException e) {
            commands.close();
            throw e;
        }
    }

    OrderBoard board() {
        return board;
    }

    /** Returns whether all orders ended within the limit; has {@code everySecond} run meanwhile and at the end. */
    boolean awaitEnd(Duration limit, Runnable everySecond) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!board.awaitDone(TICK)) {
            requireAlive();
            everySecond.run();
            if (System.nanoTime() > deadline) {
                return false;
            }
        }
        everySecond.run();
        return true;
    }

    /**
     * Waits until that many events came from Kafka; the last ones may come after the last order has ended. What does
     * not come within half a minute is missing.
     */
    void awaitEvents(long expected) {
        long deadline = System.nanoTime() + CATCH_UP.toNanos();
        while (board.events() < expected && System.nanoTime() < deadline) {
            requireAlive();
            Pause.sleep(TICK.dividedBy(10));
        }
    }

    private void requireAlive() {
        follower.requireAlive();
        entry.requireAlive();
        pipeline.requireAlive();
    }

    @Override
    public void close() {
        try (commands;
                follower) {
            entry.close();
        }
    }
}
