package io.sluice.provider.cosmos.request;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A read over as many tries as it takes. Its maker begins one try after the other, the SDK's threads add what comes.
 */
interface Read {
    /** Sends what is still to be read, and returns at once; failed when a page fails or stays away too long. */
    CompletableFuture<?> begin(Watch watch, Duration pageTimeout);

    /**
     * The last try has failed.
     *
     * @return whether it brought the read further all the same
     */
    boolean failed();
}
