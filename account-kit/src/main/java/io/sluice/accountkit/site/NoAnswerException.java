package io.sluice.accountkit.site;

/** A request got no answer, which says nothing about an assumption. */
public final class NoAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoAnswerException(String message) {
        super(message);
    }
}
