package io.sluice.emulator.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.store.Json;
import io.sluice.emulator.store.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Where a query goes on. Opaque to clients.
 *
 * @param range id of the partition key range
 * @param number of the item from which on it reads
 * @param skip how many results to leave out: of that item, or of all when the query needs them all at once
 * @param kept where the results are kept, empty when they are not
 */
record Continuation(String range, long number, int skip, String kept) {
    static Continuation startOf(String range) {
        return new Continuation(range, 0, 0, "");
    }

    /**
     * Reads one.
     *
     * @return null when there is none
     * @throws Refusal 400 when it is not ours
     */
    static @Nullable Continuation parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        JsonNode json;
        try {
            json = Json.read(text);
        } catch (JsonProcessingException e) {
            throw invalid(text);
        }
        boolean valid = json.path("range").isTextual()
                && json.path("number").isIntegralNumber()
                && json.path("skip").isInt()
                && json.path("skip").intValue() >= 0
                && json.path("kept").isTextual();
        if (!valid) {
            throw invalid(text);
        }
        return new Continuation(
                json.path("range").textValue(),
                json.path("number").longValue(),
                json.path("skip").intValue(),
                json.path("kept").textValue());
    }

    String text() {
        return Json.object()
                .put("range", range)
                .put("number", number)
                .put("skip", skip)
                .put("kept", kept)
                .toString();
    }

    private static Refusal invalid(String text) {
        return Refusal.badRequest("The continuation token is invalid: " + text);
    }
}
