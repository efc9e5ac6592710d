package io.sluice.provider.contract.replay;

import org.jspecify.annotations.Nullable;

/** Leaves orchestration code before its end: a step has no result yet, or a new execution follows. */
public final class Interruption extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String nextInput;
    private final @Nullable String nextVersion;

    private Interruption(@Nullable String nextInput, @Nullable String nextVersion) {
        super(null, null, false, false);
        this.nextInput = nextInput;
        this.nextVersion = nextVersion;
    }

    static Interruption waiting() {
        return new Interruption(null, null);
    }

    static Interruption continuing(String input, @Nullable String version) {
        return new Interruption(input, version);
    }

    /** Input of the execution that follows; null when none does. */
    @Nullable
    String nextInput() {
        return nextInput;
    }

    @Nullable
    String nextVersion() {
        return nextVersion;
    }
}
