package io.sluice.examples;

import io.sluice.client.ClientConfig;
import io.sluice.client.Command;
import io.sluice.client.CommandOptions;
import io.sluice.client.SentCommand;
import io.sluice.client.SluiceClient;
import io.sluice.examples.orders.Order;
import io.sluice.examples.orders.OrderFulfilment;
import io.sluice.examples.orders.OrderJson;
import io.sluice.examples.servers.ExampleException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sends the shop's commands to the orchestrations. Every command has an id made of what it is for, so that it could be
 * sent twice. Thread-safe.
 */
final class Commands implements AutoCloseable {
    private final SluiceClient client;
    private final Queue<CompletableFuture<SentCommand>> sent = new ConcurrentLinkedQueue<>();

    Commands(String bootstrapServers, String prefix) {
        this.client = SluiceClient.open(ClientConfig.of(bootstrapServers, prefix));
    }

    void start(Order order) {
        send("start", new Command.Start(order.orderId(), OrderFulfilment.NAME, OrderJson.encode(order)));
    }

    void raise(String instance, String event, String data) {
        send(event, new Command.RaiseEvent(instance, event, data));
    }

    void cancel(String instance, String reason) {
        send("cancel", new Command.Cancel(instance, reason));
    }

    /** Returns when the brokers have acknowledged every command sent. */
    void flush() {
        try {
            for (var next = sent.poll(); next != null; next = sent.poll()) {
                next.join();
            }
        } catch (CompletionException e) {
            throw new ExampleException("a command could not be sent: " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    private void send(String purpose, Command command) {
        sent.add(client.send(command, CommandOptions.ofId(purpose + "-" + command.instance())));
    }
}
