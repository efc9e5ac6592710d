package io.sluice.relay.command.parse;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.provider.work.WorkItem;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Parses commands. Pure: an invalid command is invalid for every relay of this version.
 *
 * <p>A command is a JSON object in UTF-8: {@code {"type":"start","instance":…,"orchestration":…,"version":…?,
 * "input":…}}, {@code {"type":"raiseEvent","instance":…,"name":…,"data":…}}, {@code {"type":"message","instance":…,
 * "queue":…,"data":…}} or {@code {"type":"cancel","instance":…,"reason":…}}; all values are strings, further fields are
 * ignored. The resource {@code command.schema.json} of the client says the same as a JSON Schema. Its id is the header
 * {@code ce_id} (with {@code ce_source}, where that is there), else {@code command-id}, else made of the record's
 * place.
 */
public final class CommandParser {
    /** No document can hold more. */
    public static final int MAX_BYTES = 2_000_000;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private CommandParser() {}

    /**
     * Reads one.
     *
     * @param topicId Kafka's id of its topic
     */
    public static ParsedCommand parse(ConsumerRecord<byte[], byte[]> message, String topicId) {
        try {
            var headers = CommandHeaders.of(message);
            var identity = CommandIdentity.of(message, topicId, headers);
            return new ParsedCommand.Valid(identity, workItem(object(message.value())), headers);
        } catch (InvalidCommandException e) {
            var commandId = CommandHeaders.readableCommandId(message);
            var identity = CommandIdentity.of(message, topicId, commandId, null);
            return new ParsedCommand.Bad(identity.shown(), e.reason(), CommandHeaders.readableReplyTopic(message));
        }
    }

    private static JsonNode object(byte @Nullable [] value) throws InvalidCommandException {
        if (value == null || value.length == 0) {
            throw new InvalidCommandException("the record has no value, expected a JSON object");
        }
        if (value.length > MAX_BYTES) {
            throw new InvalidCommandException(
                    "the command is too large: at most " + MAX_BYTES + " bytes, was " + value.length);
        }
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
            var json = JSON.readTree(text.toString());
            if (!json.isObject()) {
                throw new InvalidCommandException("the command must be a JSON object, was "
                        + json.getNodeType().name().toLowerCase(Locale.ROOT));
            }
            return json;
        } catch (CharacterCodingException e) {
            throw new InvalidCommandException("the command is not UTF-8");
        } catch (JsonProcessingException e) {
            // Not the parser's own words: they may quote the payload.
            throw new InvalidCommandException("the command is not JSON: " + place(e.getLocation()));
        }
    }

    /** The parser gives no location when one of its limits is exceeded (depth, digits of a number). */
    private static String place(@Nullable JsonLocation location) {
        return location == null
                ? "it is nested too deep, or holds a number of too many digits"
                : "line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static WorkItem workItem(JsonNode json) throws InvalidCommandException {
        var type = text(json, "type");
        var instance = text(json, "instance");
        if (instance.isEmpty()) {
            throw new InvalidCommandException("instance must not be empty");
        }
        return switch (type) {
            case "start" ->
                new WorkItem.StartOrchestration(
                        instance,
                        text(json, "orchestration"),
                        text(json, "input"),
                        optionalText(json, "version"),
                        null,
                        null,
                        null,
                        1);
            case "raiseEvent" -> new WorkItem.ExternalRaised(instance, text(json, "name"), text(json, "data"));
            case "message" -> new WorkItem.QueueMessage(instance, text(json, "queue"), text(json, "data"));
            case "cancel" -> new WorkItem.CancelInstance(instance, text(json, "reason"));
            default ->
                throw new InvalidCommandException("type must be start, raiseEvent, message or cancel, was \""
                        + CommandHeaders.shown(type) + "\"");
        };
    }

    private static String text(JsonNode json, String field) throws InvalidCommandException {
        var text = optionalText(json, field);
        if (text == null) {
            throw new InvalidCommandException(field + " is missing");
        }
        return text;
    }

    private static @Nullable String optionalText(JsonNode json, String field) throws InvalidCommandException {
        var value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isTextual()) {
            throw new InvalidCommandException(field + " must be a string");
        }
        var text = value.textValue();
        var characters = CharBuffer.wrap(text);
        try {
            StandardCharsets.UTF_8.newEncoder().encode(characters);
        } catch (CharacterCodingException e) {
            throw new InvalidCommandException(field + " holds half of a surrogate pair, which no UTF-8 can carry, at"
                    + " character " + characters.position());
        }
        return text;
    }
}
