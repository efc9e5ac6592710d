package io.sluice.examples.servers;

/** An example can't go on. The message names the fault and the remedy. */
public final class ExampleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message the fault and the remedy */
    public ExampleException(String message) {
        super(message);
    }

    /** @param message the fault and the remedy */
    public ExampleException(String message, Throwable cause) {
        super(message, cause);
    }
}
