package io.sluice.relay.deadletter;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.provider.outbox.FailedIntent;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter of the store as operators see it.
 *
 * @param id key of the intent
 * @param source instance whose turn wrote it
 * @param target instance it was meant for
 * @param documentType of the document that could not be delivered
 * @param outcome {@code refused}: it certainly was not delivered; {@code unknown}: that can't be known any more
 * @param reason why it was given up
 * @param answered whether its source was notified that its child could not be started; then it can't be retried
 * @param attempts number of attempts that the store refused
 * @param firstError error of the first refused attempt
 * @param lastError error of the latest refused attempt
 * @param retry number of retries by an operator
 * @param createdAt ISO 8601
 * @param failedAt ISO 8601
 * @param published whether the dead letter topic has it
 * @param metadata of the dispatch, as in the headers of its record
 * @param original the document that could not be delivered, byte for byte; null in lists
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeadLetterView(
        @JsonProperty("id") String id,
        @JsonProperty("source") String source,
        @JsonProperty("target") String target,
        @JsonProperty("documentType") String documentType,
        @JsonProperty("outcome") String outcome,
        @JsonProperty("reason") String reason,
        @JsonProperty("answered") boolean answered,
        @JsonProperty("attempts") int attempts,
        @JsonProperty("firstError") @Nullable String firstError,
        @JsonProperty("lastError") @Nullable String lastError,
        @JsonProperty("retry") int retry,
        @JsonProperty("createdAt") String createdAt,
        @JsonProperty("failedAt") String failedAt,
        @JsonProperty("published") boolean published,
        @JsonProperty("metadata") Map<String, String> metadata,
        @JsonProperty("original") @Nullable String original) {
    private static final String METADATA = "x-tpf-";

    public DeadLetterView {
        metadata = Map.copyOf(metadata);
    }

    static DeadLetterView of(FailedIntent failed, boolean whole) {
        var intent = failed.intent();
        return new DeadLetterView(
                intent.key(),
                intent.sourceInstance(),
                intent.targetInstance(),
                intent.targetDocumentType(),
                failed.outcome(),
                failed.reason(),
                failed.answered(),
                intent.attempts(),
                intent.firstError(),
                intent.lastError(),
                intent.retry(),
                Instant.ofEpochMilli(intent.createdAtMillis()).toString(),
                Instant.ofEpochMilli(failed.failedAtMillis()).toString(),
                failed.reported(),
                IntentDeadLetter.headers(failed).entrySet().stream()
                        .filter(header -> header.getKey().startsWith(METADATA))
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, Map.Entry::getValue, (first, second) -> first, TreeMap::new)),
                whole ? intent.payload() : null);
    }
}
