package io.sluice.provider.document;

/** A stored document that is not what its type promises. */
public sealed class MalformedDocumentException extends RuntimeException permits NewerDocumentException {
    private static final long serialVersionUID = 1L;

    /** Names the document and the field. */
    public MalformedDocumentException(String message) {
        super(message);
    }
}
