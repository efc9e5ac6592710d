package io.sluice.provider.work;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The name of an activity, read from the text of its work item without decoding it. */
public final class NamedActivity {
    private static final JsonFactory BEGINNINGS = new JsonFactory();

    private NamedActivity() {}

    /** In this text, of which the end may be cut off; nothing where the name can't be seen. */
    public static Optional<String> in(String activity) {
        try (JsonParser parser = BEGINNINGS.createParser(activity)) {
            return Optional.ofNullable(name(parser));
        } catch (IOException e) {
            // Cut before the name, or malformed, which the decoder says.
            return Optional.empty();
        }
    }

    private static @Nullable String name(JsonParser parser) throws IOException {
        boolean isVariant = parser.nextToken() == JsonToken.START_OBJECT
                && parser.nextToken() == JsonToken.FIELD_NAME
                && parser.nextToken() == JsonToken.START_OBJECT;
        while (isVariant && parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean isName = parser.currentName().equals("name");
            if (parser.nextToken() == JsonToken.VALUE_STRING && isName) {
                return parser.getText();
            }
            parser.skipChildren();
        }
        return null;
    }
}
