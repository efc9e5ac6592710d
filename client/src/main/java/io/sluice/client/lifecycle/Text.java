package io.sluice.client.lifecycle;

/** Text that may be shortened, so that a fact never outgrows a record: the whole is in the history. */
public final class Text {
    /** Characters of a payload that a fact or a state carries. */
    public static final int LIMIT = 4_096;

    private Text() {}

    /** The text, or its beginning followed by an ellipsis; never half of a surrogate pair. */
    public static String shortened(String text) {
        if (text.length() <= LIMIT) {
            return text;
        }
        int end = LIMIT - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
