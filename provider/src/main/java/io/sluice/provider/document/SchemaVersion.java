package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The version of a document's form, or of the whole store's. A document that names none is of the first, as all of
 * duroxide-cdb's are. A higher version means what a release that does not know it must neither read nor write; see
 * docs/compatibility.md.
 */
public final class SchemaVersion {
    /** The field that names it. */
    public static final String FIELD = "schemaVersion";

    /** The highest that this release knows. */
    public static final long KNOWN = 1;

    private SchemaVersion() {}

    /**
     * The version that a document names.
     *
     * @throws MalformedDocumentException when it is no number
     */
    public static long of(JsonNode document) {
        Long version = DocumentJson.numberOrNull(document, FIELD);
        return version == null ? 1 : version;
    }

    /**
     * Refuses a document of a higher version than this release knows.
     *
     * @throws NewerDocumentException naming it
     */
    static void check(JsonNode document) {
        long version = of(document);
        if (version > KNOWN) {
            throw new NewerDocumentException(DocumentJson.describe(document) + " has schema version " + version
                    + ", this release knows " + KNOWN + " and leaves it to newer ones");
        }
    }
}
