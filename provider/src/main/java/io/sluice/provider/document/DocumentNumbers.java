package io.sluice.provider.document;

import io.sluice.provider.ProviderException;

/** Which whole numbers a field of a document keeps: the service stores every number as a double. */
public final class DocumentNumbers {
    /** 2^53: every whole number up to here, either way, has a double of its own. */
    public static final long MOST = 9_007_199_254_740_992L;

    private DocumentNumbers() {}

    static boolean isKept(long value) {
        return value >= -MOST && value <= MOST;
    }

    /**
     * Refuses a number that would be another one once it is stored.
     *
     * @param operation the contract's operation, for the error
     * @param field what the number is, and where
     * @throws ProviderException permanent, naming the field, the limit and the number
     */
    public static void check(String operation, String field, long value) {
        if (!isKept(value)) {
            throw ProviderException.permanent(
                    operation,
                    field + " must be at most " + MOST
                            + " either way, the largest whole number that the store keeps; was " + value
                            + "; nothing was written");
        }
    }
}
