package io.sluice.examples.runtime;

/** Leaves orchestration code whose next result is not there yet. An {@link Error}, so that code catching exceptions lets it pass. */
final class NotYet extends Error {
    private static final long serialVersionUID = 1L;

    NotYet() {
        super("waiting for a result", null, false, false);
    }
}
