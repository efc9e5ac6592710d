package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;

/** How an intent stands: the {@code status} field of its document. */
public enum IntentStatus {
    /** It is to be delivered. */
    PENDING("pending"),
    /** The same, in a store where programs in Rust would deliver a pending intent without a receipt. */
    QUEUED("queued"),
    /** It was given up. */
    FAILED("failed");

    private final String wireName;

    IntentStatus(String wireName) {
        this.wireName = wireName;
    }

    /** The text in the document. */
    public String wireName() {
        return wireName;
    }

    /** Whether a stored intent is still to be delivered, however malformed the rest of it may be. */
    public static boolean isUndelivered(JsonNode intent) {
        String status = intent.path(Fields.STATUS).asText();
        return status.equals(PENDING.wireName) || status.equals(QUEUED.wireName);
    }

    /**
     * The status of a stored intent.
     *
     * @throws MalformedDocumentException when it has none of these
     */
    static IntentStatus of(JsonNode intent) {
        String text = DocumentJson.text(intent, Fields.STATUS);
        for (IntentStatus status : values()) {
            if (status.wireName.equals(text)) {
                return status;
            }
        }
        throw new MalformedDocumentException(
                DocumentJson.describe(intent) + " has a status that no intent has: '" + text + "'");
    }
}
