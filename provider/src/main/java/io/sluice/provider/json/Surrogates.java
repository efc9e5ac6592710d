package io.sluice.provider.json;

/**
 * Finds what a Java string can hold and UTF-8 cannot: half of a surrogate pair. Texts that differ in nothing else are
 * one text once they are stored, hashed or sent.
 */
public final class Surrogates {
    private Surrogates() {}

    /**
     * Refuses a text that holds one.
     *
     * @param field what the text is, for the error
     * @return the text
     * @throws IllegalArgumentException naming the field and the place
     */
    public static String refuse(String field, String text) {
        int lone = firstLone(text);
        if (lone >= 0) {
            throw new IllegalArgumentException(
                    "%s must be Unicode text, has half a surrogate pair, U+%04X, at character %d"
                            .formatted(field, (int) text.charAt(lone), lone));
        }
        return text;
    }

    /** Index of the first surrogate without its partner; -1 when there is none. */
    public static int firstLone(String text) {
        int length = text.length();
        int next = 0;
        while (next < length) {
            char unit = text.charAt(next);
            if (!Character.isSurrogate(unit)) {
                next++;
            } else if (Character.isHighSurrogate(unit)
                    && next + 1 < length
                    && Character.isLowSurrogate(text.charAt(next + 1))) {
                next += 2;
            } else {
                return next;
            }
        }
        return -1;
    }
}
