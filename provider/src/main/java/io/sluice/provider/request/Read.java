package io.sluice.provider.request;

import java.util.concurrent.CompletableFuture;

/**
 * A read over as many tries as it takes. Its maker begins one try after the other, the SDK's threads add what comes.
 */
interface Read {
    /** How many requests a try sends at once, where nothing limits them. */
    int atOnce();

    /** Requests the remaining pages, which it notes as they come, and returns at once; fails when a page fails. */
    CompletableFuture<?> begin(PendingRequest pending);

    /** Whether what has come is of use without the rest. */
    default boolean isOfUse() {
        return false;
    }

    /**
     * The last try has failed.
     *
     * @return whether it brought the read further all the same
     */
    boolean failed();
}
