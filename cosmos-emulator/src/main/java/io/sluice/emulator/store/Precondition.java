package io.sluice.emulator.store;

import io.sluice.emulator.document.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a write on the version of what it changes.
 *
 * @param ifMatch its ETag, {@code *} for any, null for no condition
 * @param ifNoneMatch {@code *} when it must not exist yet, null for no condition
 */
public record Precondition(
        @Nullable String ifMatch, @Nullable String ifNoneMatch) {
    /** No condition. */
    public static final Precondition NONE = new Precondition(null, null);

    /**
     * Checks the version that exists.
     *
     * @throws StatusException 412 when it does not hold
     */
    void check(String etag) {
        if (ifMatch != null && !matches(ifMatch, etag)) {
            throw StatusException.preconditionFailed();
        }
        if (ifNoneMatch != null && matches(ifNoneMatch, etag)) {
            throw StatusException.preconditionFailed();
        }
    }

    /** Some clients strip the quotes, which are part of an ETag. */
    private static boolean matches(String wanted, String etag) {
        return wanted.equals("*") || wanted.equals(etag) || etag.equals("\"" + wanted + "\"");
    }
}
