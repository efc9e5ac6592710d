package io.sluice.provider.work;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The orchestration that a start names, read from the text of its work item without decoding it.
 *
 * @param version empty where the start names none; null where it can't be seen
 */
public record BegunOrchestration(String name, @Nullable String version) {
    private static final JsonFactory BEGINNINGS = new JsonFactory();

    /** In this text, of which the end may be cut off; nothing where the name can't be seen. */
    public static Optional<BegunOrchestration> in(String start) {
        Names names = new Names();
        try (JsonParser parser = BEGINNINGS.createParser(start)) {
            names.read(parser);
        } catch (IOException e) {
            // Cut, as was to be expected. Where it is malformed instead, the decoder says so.
            return names.found();
        }
        return names.found();
    }

    /** Stops at the second of the two fields: behind them stands much that matters to the decoder alone. */
    private static final class Names {
        private @Nullable String name;
        private @Nullable String version;

        void read(JsonParser parser) throws IOException {
            boolean isVariant = parser.nextToken() == JsonToken.START_OBJECT
                    && parser.nextToken() == JsonToken.FIELD_NAME
                    && parser.nextToken() == JsonToken.START_OBJECT;
            while (isVariant && (name == null || version == null)) {
                if (parser.nextToken() != JsonToken.FIELD_NAME) {
                    version = version == null ? "" : version;
                    return;
                }
                readField(parser.currentName(), parser);
            }
        }

        private void readField(String field, JsonParser parser) throws IOException {
            JsonToken value = parser.nextToken();
            if (field.equals("orchestration") && value == JsonToken.VALUE_STRING) {
                name = parser.getText();
            } else if (field.equals("version")) {
                version = value == JsonToken.VALUE_STRING ? parser.getText() : "";
            }
            parser.skipChildren();
        }

        Optional<BegunOrchestration> found() {
            return Optional.ofNullable(name).map(found -> new BegunOrchestration(found, version));
        }
    }
}
