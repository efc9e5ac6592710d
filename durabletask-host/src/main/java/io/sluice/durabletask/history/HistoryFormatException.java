package io.sluice.durabletask.history;

/**
 * A stored event or message that this version of the host cannot read. Permanent: a newer version may. The message
 * names the field and what was expected; it never quotes values, which may be payload.
 */
public final class HistoryFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HistoryFormatException(String message) {
        super(message);
    }

    HistoryFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
