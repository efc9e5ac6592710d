package io.sluice.accountkit.site;

/** The run was ended from outside: nothing can be tried any more. */
public final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EndedException() {
        super("the run was ended");
    }
}
