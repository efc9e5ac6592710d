package io.sluice.provider.document;

import java.nio.charset.StandardCharsets;

/** Texts of Java may hold half a surrogate pair, which UTF-8, and so the store, can't say. */
public final class UnicodeText {
    private UnicodeText() {}

    /** Position of the first half of a surrogate pair that stands alone, or -1. */
    public static int halfPairAt(String text) {
        int i = 0;
        while (i < text.length()) {
            int character = text.codePointAt(i);
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                return i;
            }
            i += Character.charCount(character);
        }
        return -1;
    }

    /** The text, or so much of its beginning; never half of a surrogate pair at its end that was whole. */
    public static String beginning(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
    }

    /** The same text, with a question mark for each half of a surrogate pair that stands alone. */
    public static String sayable(String text) {
        return halfPairAt(text) < 0 ? text : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
