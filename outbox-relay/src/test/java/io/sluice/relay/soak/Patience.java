package io.sluice.relay.soak;

import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a store on a machine that is so busy that this may take long. */
final class Patience {
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration REST = Duration.ofMillis(500);

    private Patience() {}

    /** Repeats what fails and may succeed later. */
    static <T> T with(Supplier<T> opening) throws InterruptedException {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (true) {
            try {
                return opening.get();
            } catch (ProviderException e) {
                if (!e.retryable() || System.nanoTime() - end > 0) {
                    throw e;
                }
                LOG.atWarn().addKeyValue("reason", e.getMessage()).log("the store is not open yet, once more");
                TimeUnit.MILLISECONDS.sleep(REST.toMillis());
            }
        }
    }
}
