package io.sluice.relay.soak;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import dev.failsafe.function.CheckedSupplier;
import io.sluice.provider.ProviderException;
import java.time.Duration;

/** Opens a store on a machine that is so busy that this may take long. */
final class StoreStart {
    private static final RetryPolicy<Object> POLICY = RetryPolicy.builder()
            .handleIf(failure -> failure instanceof ProviderException e && e.retryable())
            .withDelay(Duration.ofMillis(500))
            .withMaxDuration(Duration.ofMinutes(2))
            .withMaxRetries(-1)
            .build();

    private StoreStart() {}

    /** Tries again after failures that may pass. */
    static <T> T retry(CheckedSupplier<T> opening) {
        return Failsafe.with(POLICY).get(opening);
    }
}
