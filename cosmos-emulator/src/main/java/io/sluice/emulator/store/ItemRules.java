package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import java.nio.charset.StandardCharsets;

/** The service's rules for every item: a valid id, and a size within the limit. */
final class ItemRules {
    static final int MAX_ITEM_BYTES = 2 * 1024 * 1024;
    static final int MAX_ID_BYTES = 1023;

    private ItemRules() {}

    /**
     * The id of a document.
     *
     * @throws StatusException 400 when it is missing, empty, no string, too long, or holds a character no path can
     *     carry
     */
    static String idOf(ObjectNode document) {
        var id = document.path("id");
        if (!id.isTextual() || id.textValue().isEmpty()) {
            throw StatusException.badRequest(
                    "The input content is invalid because the required properties - 'id; ' - are missing or no string");
        }
        return checkId(id.textValue());
    }

    static String checkId(String id) {
        if (id.chars().anyMatch(c -> c == '/' || c == '\\' || c == '?' || c == '#')) {
            throw StatusException.badRequest("The id '" + id + "' is invalid: it must not contain / \\ ? or #");
        }
        if (id.endsWith(" ")) {
            throw StatusException.badRequest("The id '" + id + "' is invalid: it must not end with a space");
        }
        if (id.length() > MAX_ID_BYTES / 4 && id.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES) {
            throw StatusException.badRequest("The id is over its limit of " + MAX_ID_BYTES + " bytes");
        }
        return id;
    }

    static void checkSize(byte[] json) {
        if (json.length > MAX_ITEM_BYTES) {
            throw StatusException.tooLarge(
                    "Request size is too large: an item may have " + MAX_ITEM_BYTES + " bytes, was " + json.length);
        }
    }
}
