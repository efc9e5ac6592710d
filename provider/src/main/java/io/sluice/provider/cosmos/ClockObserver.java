package io.sluice.provider.cosmos;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosContainerResponse;
import io.sluice.provider.ProviderException;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.request.ServiceClock;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the clock from the dates that answers carry. Where none does, the container's description is read now and then,
 * which always has one.
 */
final class ClockObserver implements RequestObserver {
    private static final Logger LOG = LoggerFactory.getLogger(ClockObserver.class);
    /** Of answers over HTTP. */
    private static final String DATE = "date";
    /** Of answers in direct mode. */
    private static final String SERVER_DATE = "x-ms-date";

    private static final int MOST_QUESTIONS = 5;

    private final ServiceClock clock;
    private final CosmosAsyncContainer container;
    private final AtomicBoolean asking = new AtomicBoolean();

    ClockObserver(ServiceClock clock, CosmosAsyncContainer container) {
        this.clock = clock;
        this.container = container;
    }

    @Override
    public void ended(Ended request) {
        String date = date(request.headers());
        if (date != null) {
            clock.observe(date, request.sentNanos(), request.endedNanos());
        } else if (clock.isStale() && asking.compareAndSet(false, true)) {
            ask();
        }
    }

    /**
     * Asks the service for its time, and again as long as its answers are in doubt: by one wrong date, or by this
     * machine's where that is wrong, locks of others would seem lapsed. A second more for a machine whose clock is off.
     *
     * @param question reads the container's description
     * @return the last answer
     * @throws ProviderException retryable when the answers keep contradicting each other and this machine's clock
     */
    static CosmosContainerResponse ask(
            ServiceClock clock, String operation, Supplier<CosmosContainerResponse> question) {
        for (int i = 0; i < MOST_QUESTIONS; i++) {
            if (i > 0) {
                Backoff.waitOut(Call.onContainer(operation, ServiceClock.CONFIRMED_AFTER));
            }
            long sentNanos = System.nanoTime();
            CosmosContainerResponse answer = question.get();
            observe(clock, answer.getResponseHeaders(), sentNanos);
            if (!clock.isInDoubt()) {
                return answer;
            }
        }
        throw ProviderException.retryable(
                operation,
                "the service's answers bear dates that contradict each other and this machine's clock, so it can't be"
                        + " told which locks have lapsed; set the machine's clock right, or try again later",
                null);
    }

    private static void observe(ServiceClock clock, Map<String, String> headers, long sentNanos) {
        String date = date(headers);
        if (date != null) {
            clock.observe(date, sentNanos, System.nanoTime());
        }
    }

    private void ask() {
        long sentNanos = System.nanoTime();
        container
                .read()
                .doFinally(signal -> asking.set(false))
                .subscribe(
                        answer -> observe(clock, answer.getResponseHeaders(), sentNanos),
                        failure -> LOG.atDebug().setCause(failure).log("the service could not be asked for its time"));
    }

    private static @Nullable String date(Map<String, String> headers) {
        String date = headers.get(DATE);
        return date == null ? headers.get(SERVER_DATE) : date;
    }
}
