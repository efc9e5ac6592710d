package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.PublishedPrefix;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a relay publishes the store, and how long a removal of history waits for it. Thread-safe. */
public final class ExpectedRelay {
    private static final Logger LOG = LoggerFactory.getLogger(ExpectedRelay.class);
    /** A store is published from one moment on, and hardly ever no longer. */
    private static final Duration KNOWN_FOR = Duration.ofSeconds(60);
    /** A removal before a relay's first start loses nothing that one soon after it would keep. */
    private static final Duration UNKNOWN_FOR = Duration.ofSeconds(5);

    private final Duration timeout;
    private final Predicate<Call> isPublished;
    private final LongSupplier nanoTime;
    private volatile @Nullable Answer latest;

    private record Answer(boolean isPublished, long atNanos) {}

    private ExpectedRelay(Duration timeout, Predicate<Call> isPublished, LongSupplier nanoTime) {
        this.timeout = timeout;
        this.isPublished = isPublished;
        this.nanoTime = nanoTime;
    }

    /** One that is there, to be waited for so long; null for none. */
    public static ExpectedRelay always(@Nullable Duration timeout) {
        return new ExpectedRelay(timeout == null ? Duration.ZERO : timeout, call -> true, System::nanoTime);
    }

    /** One is there where relays have registered the prefix under which they publish the store. */
    public static ExpectedRelay where(PublishedPrefix prefix, Duration timeout) {
        return where(call -> prefix.read(call).isPresent(), timeout, System::nanoTime);
    }

    static ExpectedRelay where(Predicate<Call> isPublished, Duration timeout, LongSupplier nanoTime) {
        return new ExpectedRelay(timeout, isPublished, nanoTime);
    }

    /** The longest {@link #timeout}. */
    Duration longest() {
        return timeout;
    }

    /**
     * How long to wait for the relay; empty for none. Asks the store by one point read, once in some seconds. Where it
     * gives no answer, a relay that was there still is.
     *
     * @throws io.sluice.provider.ProviderException retryable when the store gave no answer in time
     */
    Optional<Duration> timeout(Call call) {
        return !timeout.isZero() && askPublished(call) ? Optional.of(timeout) : Optional.empty();
    }

    /** Several may ask at the same time: none waits for the answer of another. */
    private boolean askPublished(Call call) {
        long now = nanoTime.getAsLong();
        Answer known = latest;
        if (known == null || now - known.atNanos() > goodFor(known).toNanos()) {
            known = new Answer(ask(call, known), now);
            latest = known;
        }
        return known.isPublished();
    }

    private boolean ask(Call call, @Nullable Answer known) {
        try {
            return isPublished.test(call);
        } catch (ProviderException e) {
            if (known == null || !known.isPublished()) {
                throw e;
            }
            LOG.atDebug().setCause(e).log("whether a relay publishes this store could not be read, it did");
            return true;
        }
    }

    private static Duration goodFor(Answer answer) {
        return answer.isPublished() ? KNOWN_FOR : UNKNOWN_FOR;
    }
}
