package io.sluice.examples.runtime;

/** Replayed code did not ask for the steps its history holds. */
final class NondeterminismException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String resource;

    NondeterminismException(String resource, String message) {
        super(message);
        this.resource = resource;
    }

    String resource() {
        return resource;
    }
}
