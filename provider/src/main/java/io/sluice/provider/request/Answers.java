package io.sluice.provider.request;

import com.azure.cosmos.CosmosDiagnostics;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.request.WriteOutcome.Refusal;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the SDK's answers. The only place that knows status codes. */
final class Answers {
    private static final Duration DEFAULT_RETRY_AFTER = Duration.ofMillis(100);

    private Answers() {}

    static WriteOutcome of(CosmosBatchResponse response) {
        List<CosmosBatchOperationResult> results = response.getResults();
        if (response.isSuccessStatusCode()) {
            List<String> etags = new ArrayList<>(results.size());
            List<ObjectNode> documents = new ArrayList<>();
            for (CosmosBatchOperationResult result : results) {
                String etag = result.getETag();
                etags.add(etag == null ? "" : etag);
                ObjectNode document = result.getItem(ObjectNode.class);
                if (document != null) {
                    documents.add(document);
                }
            }
            return new WriteOutcome.Committed(etags, documents, response.getRequestCharge());
        }
        for (int i = 0; i < results.size(); i++) {
            CosmosBatchOperationResult result = results.get(i);
            if (!result.isSuccessStatusCode() && result.getStatusCode() != StatusCodes.FAILED_DEPENDENCY) {
                return of(
                        i,
                        result.getStatusCode(),
                        result.getSubStatusCode(),
                        later(result.getRetryAfterDuration(), response.getRetryAfterDuration()),
                        "operation " + i + " of the batch answered " + result.getStatusCode(),
                        null);
            }
        }
        return of(
                0,
                response.getStatusCode(),
                response.getSubStatusCode(),
                response.getRetryAfterDuration(),
                "the batch answered " + response.getStatusCode() + describe(response.getErrorMessage()),
                null);
    }

    /** The answer to a write, all of its tries considered. */
    static WriteOutcome ofWrite(CosmosBatchResponse response) {
        return afterTries(of(response), response.getDiagnostics());
    }

    /** What it means for a write that it failed, all of its tries considered. */
    static WriteOutcome ofWrite(Throwable failure) {
        return failure instanceof CosmosException e ? afterTries(of(failure), e.getDiagnostics()) : of(failure);
    }

    private static WriteOutcome afterTries(WriteOutcome last, @Nullable CosmosDiagnostics diagnostics) {
        return diagnostics == null ? last : afterRegions(last, diagnostics.getContactedRegionNames());
    }

    /**
     * What the last of several tries says about all of them. Where partitions fail over by themselves, the client
     * library sends a write that got no answer to the next region; what is refused there may have been applied by the
     * first try.
     */
    static WriteOutcome afterRegions(WriteOutcome last, Set<String> regions) {
        boolean certain = last.match(
                committed -> true,
                refused -> false,
                ambiguous -> true,
                failed -> failed instanceof WriteOutcome.Rejected rejected && rejected.isAboutTheRequest());
        return certain || regions.size() < 2
                ? last
                : new WriteOutcome.Ambiguous("the client library repeated it, in the regions " + regions, null);
    }

    static WriteOutcome of(Throwable failure) {
        if (failure instanceof CosmosException e) {
            if (neverSent(e)) {
                return new WriteOutcome.Transient("the store could not be reached", e);
            }
            return of(0, e.getStatusCode(), e.getSubStatusCode(), e.getRetryAfterDuration(), e.getShortMessage(), e);
        }
        if (failure instanceof IllegalArgumentException || failure instanceof NullPointerException) {
            return new WriteOutcome.Rejected(StatusCodes.NONE, 0, "the client library refused the request", failure);
        }
        String why = failure instanceof TimeoutException ? failure.getMessage() : null;
        String message =
                "no answer from the store: " + (why == null ? failure.getClass().getSimpleName() : why);
        return neverSent(failure)
                ? new WriteOutcome.Transient(message, failure)
                : new WriteOutcome.Ambiguous(message, failure);
    }

    private static WriteOutcome of(
            int index,
            int status,
            int subStatus,
            @Nullable Duration retryAfter,
            String text,
            @Nullable Throwable cause) {
        return switch (status) {
            case StatusCodes.CONFLICT -> refused(Refusal.CONFLICT, index);
            case StatusCodes.PRECONDITION_FAILED -> refused(Refusal.PRECONDITION_FAILED, index);
            case StatusCodes.TOO_MANY_REQUESTS -> new WriteOutcome.Throttled(pause(retryAfter), cause);
            case StatusCodes.RETRY_WITH, StatusCodes.GONE -> new WriteOutcome.Transient(text, cause);
            case StatusCodes.NOT_FOUND -> notFound(index, subStatus, text, cause);
            case StatusCodes.FORBIDDEN ->
                subStatus == StatusCodes.WRITE_FORBIDDEN
                        ? new WriteOutcome.Transient("the region takes no writes just now", cause)
                        : new WriteOutcome.Rejected(status, subStatus, text, cause);
            case StatusCodes.BAD_REQUEST, StatusCodes.UNAUTHORIZED, StatusCodes.TOO_LARGE ->
                new WriteOutcome.Rejected(status, subStatus, text, cause);
            default ->
                status == StatusCodes.REQUEST_TIMEOUT || status == StatusCodes.NONE || status >= 500
                        ? new WriteOutcome.Ambiguous(text, cause)
                        : new WriteOutcome.Rejected(status, subStatus, text, cause);
        };
    }

    private static WriteOutcome refused(Refusal refusal, int index) {
        return new WriteOutcome.Refused(refusal, index);
    }

    private static WriteOutcome notFound(int index, int subStatus, String text, @Nullable Throwable cause) {
        return switch (subStatus) {
            case StatusCodes.READ_SESSION_NOT_AVAILABLE ->
                new WriteOutcome.Transient("the replica has not caught up with this session", cause);
            case StatusCodes.OWNER_RESOURCE_NOT_FOUND ->
                new WriteOutcome.Rejected(
                        StatusCodes.NOT_FOUND, subStatus, "the container does not exist: " + text, cause);
            case StatusCodes.CONTAINER_BEING_CREATED, StatusCodes.NO_ROUTING_MAP ->
                new WriteOutcome.Transient("the container's partitions are not known yet: " + text, cause);
            default -> refused(Refusal.NOT_FOUND, index);
        };
    }

    /** A connection that was refused or a name that did not resolve: the request never left. */
    private static boolean neverSent(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof ConnectException || t instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    private static Duration pause(@Nullable Duration retryAfter) {
        return retryAfter == null || retryAfter.isNegative() || retryAfter.isZero() ? DEFAULT_RETRY_AFTER : retryAfter;
    }

    private static @Nullable Duration later(@Nullable Duration a, @Nullable Duration b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static String describe(@Nullable String message) {
        return message == null || message.isEmpty() ? "" : ": " + message;
    }
}
