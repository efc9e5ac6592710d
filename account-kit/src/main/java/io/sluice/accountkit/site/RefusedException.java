package io.sluice.accountkit.site;

/** A request that had to succeed was refused: what it was to prepare can't be measured. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String what, Answer answer) {
        super(what + " was answered " + answer.status());
    }
}
