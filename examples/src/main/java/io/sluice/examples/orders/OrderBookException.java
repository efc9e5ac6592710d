package io.sluice.examples.orders;

/** The order book as a whole can't be used. The message names the fault and the remedy. */
public final class OrderBookException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message source, problem and remedy */
    public OrderBookException(String message) {
        super(message);
    }

    /** @param message source, problem and remedy */
    public OrderBookException(String message, Throwable cause) {
        super(message, cause);
    }
}
