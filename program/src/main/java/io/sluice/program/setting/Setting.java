package io.sluice.program.setting;

import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting: key, type, range with its unit, default and meaning. Validation, {@code --help} and the documentation use
 * it.
 *
 * @param key as in a properties file; the environment variable is the same in upper case with underscores
 * @param type parses and checks its text
 * @param defaultText null if the setting is required
 * @param fallback the default's value; of a required setting what stands in for it while faults are collected
 * @param sentence its meaning
 */
public record Setting<T>(String key, Type<T> type, @Nullable String defaultText, T fallback, String sentence) {
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
    public record Type<T>(String range, boolean secret, Function<String, T> parse) {}

    /**
     * A setting with a default.
     *
     * @throws IllegalArgumentException when the default is out of its range
     */
    public static <T> Setting<T> of(String key, Type<T> type, String defaultText, String sentence) {
        return new Setting<>(key, type, defaultText, type.parse().apply(defaultText), sentence);
    }

    /** A setting that must be given. */
    public static Setting<String> required(String key, Type<String> type, String sentence) {
        return new Setting<>(key, type, null, "", sentence);
    }

    /** The environment variable. */
    public String variable() {
        return variable(key);
    }

    static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    static String key(String variable) {
        return variable.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /** What is wrong with a text: the reason, and the text unless it is a secret. */
    String refusal(String text, IllegalArgumentException reason) {
        return reason.getMessage() + shown(text);
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
