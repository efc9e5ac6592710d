package io.sluice.relay.contract;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A header of a topic's records. Values are text in UTF-8.
 *
 * @param name in the record
 * @param form of its text
 * @param when which records have it; null for all
 * @param meaning of its value
 */
public record TopicHeader(String name, Form form, @Nullable String when, String meaning) {
    /** The form of a header's text. */
    public enum Form {
        TEXT("text", "(?s).+"),
        NUMBER("whole number", "-?[0-9]{1,20}"),
        MILLIS("milliseconds since 1970", "-?[0-9]{1,20}"),
        TRUE_OR_FALSE("`true` or `false`", "true|false"),
        TIME("RFC 3339", "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?Z"),
        TRACEPARENT("W3C `traceparent`", "[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}.*");

        private final String words;
        private final Pattern pattern;

        Form(String words, String pattern) {
            this.words = words;
            this.pattern = Pattern.compile(pattern);
        }

        /** In words, for the page. */
        public String words() {
            return words;
        }

        /** Whether a text has this form. */
        public boolean fits(String text) {
            return pattern.matcher(text).matches();
        }
    }

    static TopicHeader always(String name, Form form, String meaning) {
        return new TopicHeader(name, form, null, meaning);
    }

    static TopicHeader when(String name, Form form, String when, String meaning) {
        return new TopicHeader(name, form, when, meaning);
    }

    /** Whether every record of the topic has it. */
    public boolean isAlwaysThere() {
        return when == null;
    }
}
