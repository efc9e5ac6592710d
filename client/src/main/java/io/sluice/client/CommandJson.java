package io.sluice.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A command as a record of {@code <prefix>.commands}: key = instance id, value = JSON, everything else in headers. */
final class CommandJson {
    static final String COMMAND_ID = "command-id";
    static final String CORRELATION_ID = "correlation-id";
    static final String DEADLINE = "x-tpf-deadline-epoch-ms";
    static final String REPLY_TOPIC = "reply-topic";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private CommandJson() {}

    /**
     * The record.
     *
     * @throws IllegalArgumentException when it is too large, naming the longest field
     */
    static ProducerRecord<byte[], byte[]> message(
            String topic, Command command, String commandId, CommandOptions options, @Nullable String replyTopic) {
        var message = new ProducerRecord<>(topic, bytes(command.instance()), value(command));
        header(message, COMMAND_ID, commandId);
        header(message, REPLY_TOPIC, replyTopic);
        header(message, CORRELATION_ID, options.correlationId());
        header(message, DEADLINE, millis(options.deadline()));
        header(message, "traceparent", options.traceparent());
        header(message, "tracestate", options.tracestate());
        return message;
    }

    private static void header(ProducerRecord<byte[], byte[]> message, String name, @Nullable String text) {
        if (text != null) {
            message.headers().add(name, bytes(text));
        }
    }

    private static @Nullable String millis(@Nullable Instant deadline) {
        return deadline == null ? null : String.valueOf(deadline.toEpochMilli());
    }

    private static byte[] value(Command command) {
        var tree = tree(command);
        try {
            byte[] value = JSON.writeValueAsBytes(tree);
            if (value.length > Command.MAX_BYTES) {
                throw new IllegalArgumentException("a command must have at most " + Command.MAX_BYTES
                        + " bytes of JSON, has " + value.length + ", most of them in " + longest(tree));
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of texts always serialises", e);
        }
    }

    private static ObjectNode tree(Command command) {
        if (command instanceof Command.Start start) {
            var tree = typed("start", start).put("orchestration", start.orchestration());
            if (start.version() != null) {
                tree.put("version", start.version());
            }
            return tree.put("input", start.input());
        }
        if (command instanceof Command.RaiseEvent event) {
            return typed("raiseEvent", event).put("name", event.name()).put("data", event.data());
        }
        if (command instanceof Command.EnqueueMessage message) {
            return typed("message", message).put("queue", message.queue()).put("data", message.data());
        }
        return typed("cancel", command).put("reason", ((Command.Cancel) command).reason());
    }

    private static ObjectNode typed(String type, Command command) {
        return JsonNodeFactory.instance.objectNode().put("type", type).put("instance", command.instance());
    }

    private static String longest(ObjectNode tree) {
        var longest = "";
        int most = -1;
        for (var field : tree.properties()) {
            int length = field.getValue().asText().length();
            if (length > most) {
                most = length;
                longest = field.getKey();
            }
        }
        return longest;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
