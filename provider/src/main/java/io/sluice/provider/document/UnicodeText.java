package io.sluice.provider.document;

import io.sluice.provider.json.Surrogates;
import java.nio.charset.StandardCharsets;

/** Texts of Java may hold half a surrogate pair, which UTF-8, and so the store, can't say. */
public final class UnicodeText {
    private UnicodeText() {}

    /** The text, or so much of its beginning; never half of a surrogate pair at its end that was whole. */
    public static String beginning(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
    }

    /** The same text, with a question mark for each half of a surrogate pair that stands alone. */
    public static String sayable(String text) {
        return Surrogates.firstLone(text) < 0
                ? text
                : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
