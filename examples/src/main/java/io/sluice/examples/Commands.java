package io.sluice.examples;

import io.sluice.examples.orders.Order;
import io.sluice.examples.orders.OrderFulfilment;
import io.sluice.examples.orders.OrderJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Sends commands to orchestrations the way any Kafka client would: JSON on the commands topic, the instance id as key. Thread-safe. */
final class Commands implements AutoCloseable {
    private final String topic;
    private final KafkaProducer<String, String> producer;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    Commands(String bootstrapServers, String topic) {
        this.topic = topic;
        this.producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ProducerConfig.ACKS_CONFIG,
                        "all",
                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                        true),
                new StringSerializer(),
                new StringSerializer());
    }

    void start(Order order) {
        Map<String, String> command = command("start", order.orderId());
        command.put("orchestration", OrderFulfilment.NAME);
        command.put("input", OrderJson.encode(order));
        send(order.orderId(), "start-" + order.orderId(), OrderJson.encode(command));
    }

    void raise(String instance, String event, String data) {
        Map<String, String> command = command("raiseEvent", instance);
        command.put("name", event);
        command.put("data", data);
        send(instance, event + "-" + instance, OrderJson.encode(command));
    }

    void cancel(String instance, String reason) {
        Map<String, String> command = command("cancel", instance);
        command.put("reason", reason);
        send(instance, "cancel-" + instance, OrderJson.encode(command));
    }

    /** Sends any value, whether a command or not. */
    void sendRaw(String key, String commandId, String value) {
        send(key, commandId, value);
    }

    /** Returns when everything sent is acknowledged by the brokers. */
    void flush() {
        producer.flush();
        Exception failed = failure.get();
        if (failed != null) {
            throw new DemoException("a command could not be sent to " + topic + ": " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        producer.close();
    }

    private static Map<String, String> command(String type, String instance) {
        Map<String, String> command = new LinkedHashMap<>();
        command.put("type", type);
        command.put("instance", instance);
        return command;
    }

    private void send(String key, String commandId, String value) {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, key, value);
        record.headers().add("ce_id", commandId.getBytes(StandardCharsets.UTF_8));
        // The callback keeps what fails; flush() tells.
        var unused = producer.send(record, (metadata, exception) -> {
            if (exception != null) {
                failure.compareAndSet(null, exception);
            }
        });
    }
}
