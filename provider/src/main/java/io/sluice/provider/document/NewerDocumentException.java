package io.sluice.provider.document;

/** A document that a newer release wrote in a form which this one does not know. */
public final class NewerDocumentException extends MalformedDocumentException {
    private static final long serialVersionUID = 1L;

    /** Names the document and the versions. */
    NewerDocumentException(String message) {
        super(message);
    }
}
