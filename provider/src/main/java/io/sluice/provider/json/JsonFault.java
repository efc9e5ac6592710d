package io.sluice.provider.json;

import java.util.regex.Pattern;

/**
 * A text that is not what it should be. Stays between this package and its two users, which turn it into their own
 * public exception.
 */
public final class JsonFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private final String path;
    private final long offset;

    JsonFault(String path, long offset, String message) {
        super(message);
        this.path = path;
        this.offset = offset;
    }

    /** The field that is wrong, from the outermost thing inwards. */
    public String path() {
        return path;
    }

    /** Characters before the fault in the text. */
    public long offset() {
        return offset;
    }

    /** A name for a message: as it is when it looks like a name, else only its length, for it may be anything. */
    public static String printable(String name) {
        return NAME.matcher(name).matches() ? name : "a name of " + name.length() + " characters";
    }

    /** What should have been there, and what kind of thing was; never a value, which may be payload. */
    public String expectation() {
        return String.valueOf(getMessage());
    }
}
