package io.sluice.relay.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * How a command ended, told to the topic it asked for: key = instance (of a command that can't be read its own key, else its id), value {@code {"id", "status", "reason"?, "instance"?}} with status {@code accepted} or
 * {@code rejected}. Headers: {@code command-id}, and the command's {@code correlation-id} and {@code traceparent} as they came.
 */
record Reply(
        CommandBatch.Entry entry, String topic, @Nullable String rejection) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    ProducerRecord<byte[], byte[]> toRecord() {
        var command = entry.command();
        var value = JsonNodeFactory.instance
                .objectNode()
                .put("id", command.commandId())
                .put("status", rejection == null ? "accepted" : "rejected");
        if (rejection != null) {
            value.put("reason", rejection);
        }
        byte[] key = keyOfCommand();
        if (command instanceof ParsedCommand.Valid valid) {
            value.put("instance", valid.item().routedInstance());
            key = bytes(valid.item().routedInstance());
        }
        var told = new ProducerRecord<>(topic, key, json(value));
        told.headers().add(CommandHeaders.COMMAND_ID, bytes(command.commandId()));
        handBack(told, CommandHeaders.CORRELATION_ID);
        handBack(told, "traceparent");
        return told;
    }

    /** A topic that is compacted takes nothing without a key, and no topic takes any size of it. */
    private byte[] keyOfCommand() {
        byte[] key = entry.message().key();
        return key == null || key.length > CommandHeaders.MAX_BYTES
                ? bytes(entry.command().commandId())
                : key;
    }

    private void handBack(ProducerRecord<byte[], byte[]> told, String name) {
        Header header = entry.message().headers().lastHeader(name);
        if (header != null && header.value() != null && header.value().length <= CommandHeaders.MAX_BYTES) {
            told.headers().add(name, header.value());
        }
    }

    private static byte[] json(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a tree always serialises", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
