package io.sluice.relay.feed;

import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fault of a lease document before the SDK's processor reads it: an invalid document keeps the processor from
 * starting, or makes it silently leave out that part of the feed.
 */
final class LeaseDefect {
    /** Separates the common prefix of the leases of one feed from the token. */
    static final String TOKEN_MARK = "..";

    /** The version of leases of key ranges, the only one that this kind of processor creates. */
    private static final int VERSION = 1;

    private LeaseDefect() {}

    /** The first fault of a lease document, with the field's name and value; empty if the processor can read it. */
    static Optional<String> in(JsonNode lease) {
        return Optional.ofNullable(faultOf(lease));
    }

    private static @Nullable String faultOf(JsonNode lease) {
        var id = lease.path("id").asText();
        var token = lease.path("LeaseToken");
        if (!token.isTextual() || !id.endsWith(TOKEN_MARK + token.textValue())) {
            return "LeaseToken must be the end of the id, it is " + token;
        }
        var range = lease.path("feedRange").path("Range");
        if (!range.path("min").isTextual()
                || !range.path("max").isTextual()
                || range.path("min").textValue().compareTo(range.path("max").textValue()) >= 0) {
            return "feedRange must be a range from a lesser to a greater key, it is " + lease.path("feedRange");
        }
        if (lease.path("version").asInt() != VERSION) {
            return "version must be " + VERSION + ", it is " + lease.path("version");
        }
        if (!isTextOrNothing(lease.path("Owner"))) {
            return "Owner must be text or null, it is " + lease.path("Owner");
        }
        if (!isTextOrNothing(lease.path("timestamp")) || !isTime(lease.path("timestamp"))) {
            return "timestamp must be a time, it is " + lease.path("timestamp");
        }
        return isTextOrNothing(lease.path("ContinuationToken")) && isContinuation(lease.path("ContinuationToken"))
                ? null
                : "ContinuationToken must be a continuation of the change feed, it is "
                        + lease.path("ContinuationToken");
    }

    private static boolean isTextOrNothing(JsonNode value) {
        return value.isTextual() || value.isNull() || value.isMissingNode();
    }

    private static boolean isTime(JsonNode value) {
        try {
            if (value.isTextual()) {
                ZonedDateTime.parse(value.textValue());
            }
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static boolean isContinuation(JsonNode value) {
        try {
            if (value.isTextual()) {
                CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(value.textValue());
            }
            return true;
        } catch (RuntimeException e) { // the SDK's exceptions for an invalid token are not documented
            return false;
        }
    }
}
