package io.sluice.relay.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.relay.command.parse.CommandHeaders;
import io.sluice.relay.command.parse.ParsedCommand;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The reply to a command, for its reply topic: key = instance (if the command can't be read, its own key or else its
 * id), value {@code {"id", "status", "reason"?, "instance"?}} with status {@code accepted} or {@code rejected}.
 * Headers: {@code command-id}, and the command's {@code correlation-id} and {@code traceparent} as they came.
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
        var reply = new ProducerRecord<>(topic, key, json(value));
        reply.headers().add(CommandHeaders.COMMAND_ID, bytes(command.commandId()));
        copyHeader(reply, CommandHeaders.CORRELATION_ID);
        copyHeader(reply, "traceparent");
        return reply;
    }

    /** A compacted topic accepts no record without a key, and no topic accepts a key of any size. */
    private byte[] keyOfCommand() {
        byte[] key = entry.message().key();
        return key == null || key.length > CommandHeaders.MAX_BYTES
                ? bytes(entry.command().commandId())
                : key;
    }

    private void copyHeader(ProducerRecord<byte[], byte[]> reply, String name) {
        Header header = entry.message().headers().lastHeader(name);
        if (header != null && header.value() != null && header.value().length <= CommandHeaders.MAX_BYTES) {
            reply.headers().add(name, header.value());
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
