package io.sluice.examples.servers;

/** An example can't go on. The message says what is wrong and what to do. */
public final class ExampleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what is wrong and what to do */
    public ExampleException(String message) {
        super(message);
    }

    /** @param message what is wrong and what to do */
    public ExampleException(String message, Throwable cause) {
        super(message, cause);
    }
}
