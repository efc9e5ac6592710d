package io.sluice.examples.runtime;

import org.jspecify.annotations.Nullable;

/** Leaves orchestration code for its next execution; see {@link OrchestrationContext#continueAsNew}. */
public final class ContinueAsNewError extends Error {
    private static final long serialVersionUID = 1L;

    private final String input;
    private final @Nullable String version;

    ContinueAsNewError(String input, @Nullable String version) {
        super("continuing as new", null, false, false);
        this.input = input;
        this.version = version;
    }

    String input() {
        return input;
    }

    @Nullable
    String version() {
        return version;
    }
}
