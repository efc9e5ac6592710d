package io.sluice.durabletask.history;

/** An event that is not stored, since its messages or groups nest deeper than SDKs can read. */
public final class NestedTooDeepException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NestedTooDeepException(String event, int levels) {
        super(event + ": has more than " + levels + " levels of nested messages or unknown groups");
    }
}
