package io.sluice.emulator.store;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.item.StoredItem;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a write on the version of the item.
 *
 * @param ifMatch its ETag, {@code *} for any, null for no condition
 * @param ifNoneMatch {@code *} when the item must not exist yet, null for no condition
 */
public record Precondition(
        @Nullable String ifMatch, @Nullable String ifNoneMatch) {
    /** No condition. */
    public static final Precondition NONE = new Precondition(null, null);

    /**
     * Checks the version of the existing item.
     *
     * @throws StatusException 412 when it does not hold
     */
    void check(StoredItem existing) {
        if (ifMatch != null && !matches(ifMatch, existing.etag())) {
            throw StatusException.preconditionFailed();
        }
        if (ifNoneMatch != null && matches(ifNoneMatch, existing.etag())) {
            throw StatusException.preconditionFailed();
        }
    }

    /** Some clients strip the quotes, which are part of an ETag. */
    private static boolean matches(String wanted, String etag) {
        return wanted.equals("*") || wanted.equals(etag) || etag.equals("\"" + wanted + "\"");
    }
}
