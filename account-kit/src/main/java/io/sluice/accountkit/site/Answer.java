package io.sluice.accountkit.site;

import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What the service answered, be it a refusal.
 *
 * @param code of HTTP
 * @param subCode of the service, 0 for none
 * @param charge in request units
 * @param headers of the answer
 * @param etag of the document as it is now; null where the answer names none
 */
public record Answer(
        int code,
        int subCode,
        double charge,
        Map<String, String> headers,
        @Nullable String etag) {
    private static final int FIRST_REFUSAL = 400;

    public Answer {
        headers = Map.copyOf(headers);
    }

    static Answer to(Mono<? extends CosmosItemResponse<?>> request) {
        try {
            CosmosItemResponse<?> answer = Calls.await(request);
            return new Answer(
                    answer.getStatusCode(),
                    0,
                    answer.getRequestCharge(),
                    answer.getResponseHeaders(),
                    answer.getETag());
        } catch (CosmosException e) {
            return of(e);
        }
    }

    static Answer of(CosmosException refusal) {
        return new Answer(
                refusal.getStatusCode(),
                refusal.getSubStatusCode(),
                refusal.getRequestCharge(),
                refusal.getResponseHeaders() == null ? Map.of() : refusal.getResponseHeaders(),
                null);
    }

    /** Whether it was done. */
    public boolean isDone() {
        return code < FIRST_REFUSAL;
    }

    /** Status and sub-status, such as 404/1002. */
    public String status() {
        return subCode == 0 ? String.valueOf(code) : code + "/" + subCode;
    }

    /** How far the partition is: {@code <range>:<version>#<number>#…}. */
    public String sessionToken() {
        return headers.getOrDefault("x-ms-session-token", "");
    }
}
