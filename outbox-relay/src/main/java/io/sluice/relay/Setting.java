package io.sluice.relay;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting: key, type, unit, range, default and meaning. Validation, {@code --help} and the documentation use it.
 *
 * @param key as in a properties file; the environment variable is the same in upper case with underscores
 * @param type parses and checks its text
 * @param defaultText null if the setting is required
 * @param sentence its meaning
 */
record Setting<T>(String key, Type<T> type, @Nullable String defaultText, String sentence) {
    /** Connection strings, URLs with a password and JAAS texts that were pasted into the wrong place. */
    private static final Pattern PASTED_SECRET =
            Pattern.compile("(key|password|secret|token|sig)\\s*[=:]|:[^\\s/@:]*@", Pattern.CASE_INSENSITIVE);

    /**
     * The type of a setting.
     *
     * @param range in words, with the unit
     * @param secret whether values must not be shown
     * @param parse throws IllegalArgumentException with the reason, without the text itself
     */
    record Type<T>(String range, boolean secret, Function<String, T> parse) {}

    /** The environment variable. */
    String variable() {
        return key.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    /**
     * Reads the value from texts, or adds a fault.
     *
     * @return null if there is a fault
     */
    @Nullable
    T read(Map<String, String> texts, ConfigErrors faults) {
        var given = texts.get(key);
        var text = given == null || given.isBlank() ? defaultText : given.strip();
        if (text == null) {
            faults.add(key, "is missing: set " + variable() + " or " + key + " (" + sentence + ")");
            return null;
        }
        try {
            return type.parse().apply(text);
        } catch (IllegalArgumentException e) {
            faults.add(key, e.getMessage() + shown(text));
            return null;
        }
    }

    private String shown(String text) {
        if (type.secret()) {
            return "";
        }
        return PASTED_SECRET.matcher(text).find()
                ? ", was a value with a secret, which is not shown"
                : ", was \"" + text + "\"";
    }
}
