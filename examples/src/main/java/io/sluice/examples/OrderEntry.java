package io.sluice.examples;

import io.sluice.examples.orders.Order;
import io.sluice.examples.servers.RunTopics;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the start command of every order, in a thread of its own, and a few bad commands in between: at an even pace,
 * but never more open orders at a time than a shop of this size has.
 */
final class OrderEntry implements AutoCloseable {
    private static final int MOST_OPEN = 120;

    private final List<Order> orders;
    private final OrderBoard board;
    private final Commands commands;
    private final RunTopics kafka;
    private final long pauseNanos;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable RuntimeException failure;

    private OrderEntry(List<Order> orders, OrderBoard board, Commands commands, RunTopics kafka, int perSecond) {
        this.orders = orders;
        this.board = board;
        this.commands = commands;
        this.kafka = kafka;
        this.pauseNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.thread = new Thread(this::send, "sluice-order-entry");
        thread.setDaemon(true);
    }

    static OrderEntry start(List<Order> orders, OrderBoard board, Commands commands, RunTopics kafka, int perSecond) {
        OrderEntry entry = new OrderEntry(orders, board, commands, kafka, perSecond);
        entry.thread.start();
        return entry;
    }

    /** Fails when sending has failed. */
    void requireAlive() {
        RuntimeException current = failure;
        if (current != null) {
            throw current;
        }
    }

    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send() {
        try {
            long due = System.nanoTime();
            for (int i = 0; i < orders.size() && !stopRequestedBy(due); i++) {
                if (i == orders.size() / 3) {
                    BadCommand.sendAll(kafka.bootstrapServers(), kafka.topic("commands"));
                }
                while (i - board.done() >= MOST_OPEN) {
                    due = System.nanoTime() + pauseNanos;
                    if (stopRequestedBy(due)) {
                        return;
                    }
                }
                commands.start(orders.get(i));
                due += pauseNanos;
            }
            commands.flush();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private boolean stopRequestedBy(long nanoTime) {
        try {
            return stop.await(nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
