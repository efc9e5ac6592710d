package io.sluice.relay.command;

import io.sluice.provider.TraceContext;
import io.sluice.relay.deadletter.DeadLetter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of a command's record say. Those that matter must be there once at most and be text in UTF-8; a header that names nobody can be told apart
 * from, or that comes twice, makes the command a bad one rather than a guess.
 *
 * @param commandId null when no header says it
 * @param source of which the id is, when it is a CloudEvent's; null when no header says it
 * @param deadlineMillis from then on the command is refused; null for never
 * @param replyTopic where to tell how it ended; null for nowhere
 * @param correlationId handed back with the reply; null for none
 * @param resentFrom where the dead letter lies that an operator sent again; null for a command that comes from its sender
 * @param trace the trace it is part of; null for none, also when it is malformed, as W3C Trace Context asks
 */
record CommandHeaders(
        @Nullable String commandId,
        @Nullable String source,
        @Nullable Long deadlineMillis,
        @Nullable String replyTopic,
        @Nullable String correlationId,
        @Nullable String resentFrom,
        @Nullable TraceContext trace) {
    static final String CLOUD_EVENT_ID = "ce_id";
    static final String CLOUD_EVENT_SOURCE = "ce_source";
    static final String COMMAND_ID = "command-id";
    static final String DEADLINE = "x-tpf-deadline-epoch-ms";
    static final String REPLY_TOPIC = "reply-topic";
    static final String CORRELATION_ID = "correlation-id";
    /** Bytes a header may have: it is handed back, and a reply that its topic can't take would stop all commands behind it. */
    static final int MAX_BYTES = 4_096;

    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final Pattern MILLIS = Pattern.compile("[0-9]{1,18}");

    /**
     * Reads them.
     *
     * @throws BadCommand naming the header and what is wrong with it
     */
    static CommandHeaders of(ConsumerRecord<byte[], byte[]> message) throws BadCommand {
        var cloudEventId = text(message, CLOUD_EVENT_ID);
        var commandId = text(message, COMMAND_ID);
        return new CommandHeaders(
                cloudEventId == null ? commandId : cloudEventId,
                cloudEventId == null ? null : text(message, CLOUD_EVENT_SOURCE),
                deadline(text(message, DEADLINE)),
                replyTopic(text(message, REPLY_TOPIC)),
                text(message, CORRELATION_ID),
                text(message, DeadLetter.RESENT_FROM),
                TraceContext.parse(lenient(message, "traceparent"), lenient(message, "tracestate"))
                        .orElse(null));
    }

    /** Where to tell that a bad command is bad, if that much can be read. */
    static @Nullable String readableReplyTopic(ConsumerRecord<byte[], byte[]> message) {
        return readable(() -> replyTopic(text(message, REPLY_TOPIC)));
    }

    /** The id of a bad command, if that much can be read. */
    static @Nullable String readableCommandId(ConsumerRecord<byte[], byte[]> message) {
        return readable(() -> {
            var cloudEventId = text(message, CLOUD_EVENT_ID);
            return cloudEventId == null ? text(message, COMMAND_ID) : cloudEventId;
        });
    }

    private static @Nullable String readable(Reading reading) {
        try {
            return reading.read();
        } catch (BadCommand e) {
            return null;
        }
    }

    /** One that may find the header bad. */
    private interface Reading {
        @Nullable
        String read() throws BadCommand;
    }

    private static @Nullable Long deadline(@Nullable String text) throws BadCommand {
        if (text == null) {
            return null;
        }
        if (!MILLIS.matcher(text).matches()) {
            throw new BadCommand("header " + DEADLINE + " must be milliseconds since 1970, was '" + shown(text) + "'");
        }
        return Long.valueOf(text);
    }

    private static @Nullable String replyTopic(@Nullable String text) throws BadCommand {
        if (text != null && (!TOPIC.matcher(text).matches() || text.equals(".") || text.equals(".."))) {
            throw new BadCommand("header " + REPLY_TOPIC
                    + " must be a topic's name (1 to 249 letters, digits, dots, underscores and hyphens), was '"
                    + shown(text) + "'");
        }
        return text;
    }

    private static @Nullable String text(ConsumerRecord<byte[], byte[]> message, String name) throws BadCommand {
        Header found = null;
        for (Header header : message.headers().headers(name)) {
            if (found != null) {
                throw new BadCommand("header " + name + " is there more than once");
            }
            found = header;
        }
        if (found == null) {
            return null;
        }
        if (found.value() == null || found.value().length == 0) {
            throw new BadCommand("header " + name + " has no value");
        }
        if (found.value().length > MAX_BYTES) {
            throw new BadCommand(
                    "header " + name + " is too large: at most " + MAX_BYTES + " bytes, was " + found.value().length);
        }
        try {
            return decoded(found.value());
        } catch (CharacterCodingException e) {
            throw new BadCommand("header " + name + " is not UTF-8");
        }
    }

    private static @Nullable String lenient(ConsumerRecord<byte[], byte[]> message, String name) {
        return readable(() -> text(message, name));
    }

    private static String decoded(byte[] value) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(value))
                .toString();
    }

    /** Enough of a text to find it by; the whole is in the dead letter. */
    static String shown(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
