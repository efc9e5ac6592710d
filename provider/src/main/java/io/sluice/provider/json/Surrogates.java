package io.sluice.provider.json;

/** Finds what a Java string can hold and UTF-8 cannot. */
final class Surrogates {
    private Surrogates() {}

    /** Index of the first surrogate without its partner; -1 when there is none. */
    static int firstLone(String text) {
        int next = 0;
        while (next < text.length()) {
            int codePoint = text.codePointAt(next);
            if (Character.getType(codePoint) == Character.SURROGATE) {
                return next;
            }
            next += Character.charCount(codePoint);
        }
        return -1;
    }
}
