package io.sluice.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads replies: key = instance id, value {@code {"id", "status", "reason"?, "instance"?}}, the command's id and its
 * correlation id in headers.
 */
final class ReplyJson {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ReplyJson() {}

    /** The id of the command, from the header; empty when the record is no reply. */
    static Optional<String> commandId(ConsumerRecord<byte[], byte[]> message) {
        return Optional.ofNullable(header(message, CommandJson.COMMAND_ID));
    }

    /** The instance that the command was for. */
    static String instance(ConsumerRecord<byte[], byte[]> message) {
        return message.key() == null ? "" : new String(message.key(), StandardCharsets.UTF_8);
    }

    /** The reply; empty when this version can't read it. */
    static Optional<Reply> read(ConsumerRecord<byte[], byte[]> message) {
        if (message.value() == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(reply(JSON.readTree(message.value()), message));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static @Nullable Reply reply(JsonNode json, ConsumerRecord<byte[], byte[]> message) {
        var id = json.path("id").textValue();
        if (id == null) {
            return null;
        }
        var correlationId = header(message, CommandJson.CORRELATION_ID);
        return switch (json.path("status").asText()) {
            case "accepted" -> new Reply.Accepted(id, instance(message), correlationId);
            case "rejected" -> new Reply.Rejected(id, json.path("reason").asText(), correlationId);
            default -> null;
        };
    }

    /** The text of a header; null for none. */
    static @Nullable String header(ConsumerRecord<byte[], byte[]> message, String name) {
        var header = message.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
