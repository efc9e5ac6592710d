package io.sluice.client;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks commands as the relay would, before they are sent. */
final class CommandRules {
    private static final String FORBIDDEN_IN_IDS = "/\\?#";
    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");
    private static final int SHOWN = 80;
    private static final long LATEST_MILLIS = 999_999_999_999_999_999L;
    private static final Pattern TRACEPARENT = Pattern.compile(
            "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[!-~]{1,200})?");
    private static final Pattern TRACESTATE = Pattern.compile("[ -~\\t]{1,512}");

    private CommandRules() {}

    static void instance(String instance) {
        Objects.requireNonNull(instance, "instance");
        if (instance.isEmpty()) {
            throw new IllegalArgumentException("instance must not be empty");
        }
        for (int at = 0; at < instance.length(); at++) {
            char character = instance.charAt(at);
            if (FORBIDDEN_IN_IDS.indexOf(character) >= 0
                    || Character.isISOControl(character)
                    || ESCAPE.matcher(instance).region(at, instance.length()).lookingAt()) {
                throw new IllegalArgumentException(
                        "instance must be without / \\ ? #, control characters and escapes such as %%20, has U+%04X at position %d: '%s'"
                                .formatted((int) character, at, shown(instance)));
            }
        }
        text("instance", instance);
        int bytes = instance.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Command.MAX_INSTANCE_BYTES) {
            throw new IllegalArgumentException("instance must have at most " + Command.MAX_INSTANCE_BYTES
                    + " bytes of UTF-8, has " + bytes + ": '" + shown(instance) + "'");
        }
    }

    /** Refuses text that UTF-8 can't carry. */
    static void text(String field, String text) {
        Objects.requireNonNull(text, field);
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (Character.isHighSurrogate(character)
                    && at + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(at + 1))) {
                at++;
            } else if (Character.isSurrogate(character)) {
                throw new IllegalArgumentException(
                        "%s must be without lone surrogates, which no UTF-8 can carry, has U+%04X at position %d"
                                .formatted(field, (int) character, at));
            }
        }
    }

    /** Refuses text that can't be the value of a header. */
    static void header(String field, @Nullable String text) {
        if (text == null) {
            return;
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException(field + " must not be empty");
        }
        text(field, text);
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > CommandOptions.MAX_ID_BYTES) {
            throw new IllegalArgumentException(field + " must have at most " + CommandOptions.MAX_ID_BYTES
                    + " bytes of UTF-8, has " + bytes + ": '" + shown(text) + "'");
        }
    }

    static void deadline(@Nullable Instant deadline) {
        if (deadline != null
                && (deadline.isBefore(Instant.EPOCH) || deadline.isAfter(Instant.ofEpochMilli(LATEST_MILLIS)))) {
            throw new IllegalArgumentException(
                    "deadline must be 1970 or later and at most 18 digits of milliseconds, was " + deadline);
        }
    }

    static void trace(@Nullable String traceparent, @Nullable String tracestate) {
        if (traceparent != null && !TRACEPARENT.matcher(traceparent).matches()) {
            throw new IllegalArgumentException("traceparent must be as W3C Trace Context says, was '"
                    + shown(traceparent) + "'; for example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        }
        if (tracestate != null && !TRACESTATE.matcher(tracestate).matches()) {
            throw new IllegalArgumentException(
                    "tracestate must be 1 to 512 printable characters of ASCII, was '" + shown(tracestate) + "'");
        }
        if (tracestate != null && traceparent == null) {
            throw new IllegalArgumentException("tracestate needs a traceparent, was '" + shown(tracestate) + "'");
        }
    }

    static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
