package io.sluice.relay.feed;

/** The store has not answered a read in time; it can be repeated. */
public final class LateAnswerException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public LateAnswerException(String message) {
        super(message);
    }
}
