package io.sluice.provider.request;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A read over as many tries as it takes. Its maker begins one try after the other, the SDK's threads add what comes.
 */
interface Read {
    /** Requests the remaining pages, and returns at once; fails when a page fails or does not come in time. */
    CompletableFuture<?> begin(PendingRequest pending, Duration pageTimeout);

    /**
     * The last try has failed.
     *
     * @return whether it brought the read further all the same
     */
    boolean failed();
}
