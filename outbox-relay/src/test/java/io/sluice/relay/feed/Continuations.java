package io.sluice.relay.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;

/** The SDK's continuations, changed. */
final class Continuations {
    private static final JsonMapper JSON = new JsonMapper();

    private Continuations() {}

    /** The same, with all its log sequence numbers raised. */
    static String moved(String continuation, long by) {
        try {
            var json = JSON.readTree(Base64.getUrlDecoder().decode(continuation));
            json.path("Continuation").path("Continuation").forEach(part -> {
                long lsn = Long.parseLong(part.path("token").asText().replace("\"", ""));
                ((ObjectNode) part).put("token", "\"" + (lsn + by) + "\"");
            });
            return Base64.getUrlEncoder().encodeToString(json.toString().getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
