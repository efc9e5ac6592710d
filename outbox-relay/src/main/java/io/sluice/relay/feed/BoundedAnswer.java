package io.sluice.relay.feed;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers of the store that are waited for within a limit; when none has come, a sentence says so. */
public final class BoundedAnswer {
    private BoundedAnswer() {}

    /** The same pages, which end with a {@link LateAnswerException} when the next one is not there within the limit. */
    public static <T> Flux<T> each(Flux<T> pages, Duration limit, String asked) {
        return pages.timeout(limit, Flux.error(() -> new LateAnswerException(limit, asked)));
    }

    /**
     * Sends the request and waits for its answer. The thread that waits keeps the limit: a timer of Reactor's runs on
     * threads that others may hold.
     *
     * @param asked what the store is asked, such as {@code for its feed ranges}
     * @return empty where the answer is
     * @throws LateAnswerException when there is none within the limit
     * @throws IllegalStateException when the thread is interrupted, which sets its flag again
     * @throws RuntimeException what the client library throws, as it is
     */
    public static <T> Optional<T> of(Mono<T> request, Duration limit, String asked) {
        var answer = request.map(Optional::of).defaultIfEmpty(Optional.empty()).toFuture();
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new LateAnswerException(limit, asked);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Cosmos DB was asked " + asked, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("Cosmos DB could not be asked " + asked, e.getCause());
        }
    }
}
