package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import java.nio.charset.StandardCharsets;

/** The service's rules for ids, names and sizes. */
public final class ItemRules {
    static final int MAX_ITEM_BYTES = 2 * 1024 * 1024;
    static final int MAX_ID_BYTES = 1023;
    static final int MAX_NAME_CHARACTERS = 255;
    private static final int SHOWN_CHARACTERS = 100;

    private ItemRules() {}

    /**
     * The id of a document. Any characters will do, though some ids then fit into no path.
     *
     * @throws StatusException 400 when it is missing, empty, no string or too long
     */
    static String idOf(ObjectNode document) {
        var id = document.path("id");
        if (!id.isTextual() || id.textValue().isEmpty()) {
            throw StatusException.badRequest(
                    "The input content is invalid because the required properties - 'id; ' - are missing or no string");
        }
        var text = id.textValue();
        if (text.length() > MAX_ID_BYTES / 4 && text.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES) {
            throw tooLong(text, MAX_ID_BYTES + 1);
        }
        return text;
    }

    /**
     * The name of a database or container.
     *
     * @throws StatusException 400 as {@link #idOf}, and when it is too long for a name or holds what none may hold
     */
    static String nameOf(ObjectNode body) {
        var given = body.path("id").asText();
        if (given.length() > MAX_NAME_CHARACTERS) {
            throw tooLong(given, MAX_NAME_CHARACTERS);
        }
        var name = idOf(body);
        if (name.chars().anyMatch(c -> c == '/' || c == '\\' || c == '?' || c == '#')) {
            throw StatusException.badRequest("The name '" + name + "' is invalid: it must not contain / \\ ? or #");
        }
        if (name.endsWith(" ")) {
            throw StatusException.badRequest("The name '" + name + "' is invalid: it must not end with a space");
        }
        return name;
    }

    /** Both limits in the words of the service, which names the one of names as if it were not allowed itself. */
    private static StatusException tooLong(String name, int limit) {
        return StatusException.badRequest("The input name '" + name.substring(0, SHOWN_CHARACTERS)
                + "…' is invalid. Ensure to provide a unique non-empty string less than '" + limit + "' characters.");
    }

    /**
     * Checks the size of an item, both as it is sent and as it is stored.
     *
     * @throws StatusException 413 when it is too large
     */
    public static void checkSize(byte[] json) {
        if (json.length > MAX_ITEM_BYTES) {
            throw StatusException.tooLarge(
                    "Request size is too large: an item may have " + MAX_ITEM_BYTES + " bytes, was " + json.length);
        }
    }
}
