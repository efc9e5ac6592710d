package io.sluice.provider.outbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of one dispatch, the same by every transport: on receipts, on dead letters, and as headers of Kafka
 * records. Key, correlation id and execution id stay the same whichever process repeats a dispatch; the retry attempt
 * grows only when the store had refused the one before.
 *
 * @param correlationId what it is part of; the source's instance id unless the ack said otherwise
 * @param executionId {@code <source>:<execution>}; the source alone where other writers don't say
 * @param idempotencyKey made from the turn that caused it and its place there, never at random
 * @param retryAttempt dispatches of it that were refused before this one
 * @param deadlineMillis from then on it is not executed any more; null for never
 * @param dispatchedAtMillis when this dispatch began
 * @param parentItemId what caused it; null when that is not known
 */
public record DispatchMetadata(
        String correlationId,
        String executionId,
        String idempotencyKey,
        int retryAttempt,
        @Nullable Long deadlineMillis,
        long dispatchedAtMillis,
        @Nullable String parentItemId) {
    public static final String CORRELATION_ID = "x-tpf-correlation-id";
    public static final String EXECUTION_ID = "x-tpf-execution-id";
    public static final String IDEMPOTENCY_KEY = "x-tpf-idempotency-key";
    public static final String RETRY_ATTEMPT = "x-tpf-retry-attempt";
    public static final String DEADLINE = "x-tpf-deadline-epoch-ms";
    public static final String DISPATCHED_AT = "x-tpf-dispatch-ts-epoch-ms";
    public static final String PARENT_ITEM_ID = "x-tpf-parent-item-id";

    private static final Pattern EXECUTION_IN_KEY = Pattern.compile("([0-9]+):.*");

    public DispatchMetadata {
        Objects.requireNonNull(correlationId, "correlationId");
        Objects.requireNonNull(executionId, "executionId");
        Objects.requireNonNull(idempotencyKey, "idempotencyKey");
    }

    /** That of an intent dispatched at this time (milliseconds). */
    public static DispatchMetadata of(Intent intent, long dispatchedAtMillis) {
        return of(intent, intent.retryAttempt(), dispatchedAtMillis);
    }

    /**
     * That of the last dispatch of an intent, at this time (milliseconds), which comes to no other: itself refused, it
     * is none of those before it.
     */
    public static DispatchMetadata ofLast(Intent intent, long dispatchedAtMillis) {
        return of(intent, intent.retryAttempt() - (intent.attempts() > 0 ? 1 : 0), dispatchedAtMillis);
    }

    private static DispatchMetadata of(Intent intent, int retryAttempt, long dispatchedAtMillis) {
        String correlationId = intent.dispatch().correlationId();
        return new DispatchMetadata(
                correlationId == null ? intent.sourceInstance() : correlationId,
                execution(intent),
                intent.key(),
                retryAttempt,
                intent.dispatch().deadline(),
                dispatchedAtMillis,
                intent.dispatch().parentItemId());
    }

    /** The source's execution also stands in the key, unless that is hashed. */
    private static String execution(Intent intent) {
        String source = intent.sourceInstance();
        Long said = intent.dispatch().executionId();
        if (said != null) {
            return source + ":" + said;
        }
        if (intent.key().startsWith(source + ":")) {
            var rest = EXECUTION_IN_KEY.matcher(intent.key().substring(source.length() + 1));
            if (rest.matches()) {
                return source + ":" + rest.group(1);
            }
        }
        return source;
    }

    /** By their canonical names, in their canonical order; optional ones that are not known are left out. */
    public Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(CORRELATION_ID, correlationId);
        headers.put(EXECUTION_ID, executionId);
        headers.put(IDEMPOTENCY_KEY, idempotencyKey);
        headers.put(RETRY_ATTEMPT, String.valueOf(retryAttempt));
        if (deadlineMillis != null) {
            headers.put(DEADLINE, String.valueOf(deadlineMillis));
        }
        headers.put(DISPATCHED_AT, String.valueOf(dispatchedAtMillis));
        if (parentItemId != null) {
            headers.put(PARENT_ITEM_ID, parentItemId);
        }
        return headers;
    }
}
