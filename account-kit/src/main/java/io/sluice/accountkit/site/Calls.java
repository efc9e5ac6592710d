package io.sluice.accountkit.site;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** Requests with a limit on each. */
public final class Calls {
    /** Longer than the SDK waits while it is throttled. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Calls() {}

    /**
     * The answer to one request.
     *
     * @throws com.azure.cosmos.CosmosException when it is a refusal
     * @throws NoAnswerException when there is none
     */
    public static <T> T await(Mono<T> request) {
        return request.timeout(
                        LIMIT, Mono.error(() -> new NoAnswerException("no answer within " + LIMIT.toSeconds() + " s")))
                .blockOptional()
                .orElseThrow(() -> new NoAnswerException("the client library gave no answer"));
    }
}
