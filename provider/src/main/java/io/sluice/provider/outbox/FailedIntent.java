package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.slf4j.LoggerFactory;

/**
 * An intent that was given up: a dead letter of the store. It stays in its source's partition until somebody retries or
 * discards it.
 *
 * @param outcome {@link #REFUSED} when it surely was not and will not be delivered, {@link #UNKNOWN} when that can't be
 *     known any more
 * @param reason why it was given up
 * @param answered whether its source got the answer that its child could not be started; then it can't be retried
 * @param failedAtMillis when it was given up
 * @param reported whether it was published to the dead letter topic
 */
public record FailedIntent(
        Intent intent, String outcome, String reason, boolean answered, long failedAtMillis, boolean reported) {
    public static final String REFUSED = "refused";
    public static final String UNKNOWN = "unknown";

    static final String OUTCOME = "outcome";
    static final String REASON = "failure";
    static final String ANSWERED = "answered";
    static final String FAILED_AT = "failedAt";
    static final String REPORTED = "reported";

    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(FailedIntent.class));

    public FailedIntent {
        Objects.requireNonNull(intent, "intent");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(reason, "reason");
    }

    /**
     * Reads the rows of a query. One that is malformed, or has not failed, is left out, and its version logged once.
     */
    static List<FailedIntent> in(List<? extends JsonNode> rows) {
        List<FailedIntent> failed = new ArrayList<>();
        for (JsonNode row : rows) {
            try {
                failed.add(fromJson(row));
            } catch (MalformedDocumentException e) {
                MALFORMED.log(row, "a failed intent is malformed and is left out; repair or delete it", e);
            }
        }
        return List.copyOf(failed);
    }

    static FailedIntent fromJson(JsonNode json) {
        Intent intent = Intent.fromJson(json);
        if (intent.status() != IntentStatus.FAILED) {
            throw new MalformedDocumentException("intent '" + DocumentJson.id(json) + "' has not failed");
        }
        return new FailedIntent(
                intent,
                json.path(OUTCOME).asText(UNKNOWN),
                json.path(REASON).asText(""),
                json.path(ANSWERED).asBoolean(false),
                json.path(FAILED_AT).asLong(0),
                json.path(REPORTED).asBoolean(false));
    }
}
