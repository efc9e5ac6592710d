package io.sluice.provider.document;

/** A stored document that is not what its type promises. */
public final class MalformedDocumentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Names the document and the field. */
    public MalformedDocumentException(String message) {
        super(message);
    }
}
