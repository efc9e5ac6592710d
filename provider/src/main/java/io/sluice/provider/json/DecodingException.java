package io.sluice.provider.json;

/**
 * A stored text that is not what it should be. The message names the field, its place in the text and what was expected; it never quotes
 * values, which may be payload.
 */
public final class DecodingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final long offset;
    private final String expected;

    /**
     * @param path the field, from the outermost thing inwards, such as {@code history event.details.Poison.message}
     * @param offset characters before the fault in the text
     * @param expected what should have been there, and what was
     */
    DecodingException(String path, long offset, String expected) {
        super(path + " (at character " + offset + "): " + expected);
        this.path = path;
        this.offset = offset;
        this.expected = expected;
    }

    /** The field that is wrong, from the outermost thing inwards. */
    public String path() {
        return path;
    }

    /** Characters before the fault in the text. */
    public long offset() {
        return offset;
    }

    /** What should have been there, and what kind of thing was. */
    public String expected() {
        return expected;
    }
}
