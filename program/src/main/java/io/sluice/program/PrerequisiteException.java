package io.sluice.program;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something outside of a program keeps it from starting; the message says what, and what to do about it. */
public final class PrerequisiteException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PrerequisiteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** One exception that names several faults. */
    public static PrerequisiteException of(List<String> faults) {
        return new PrerequisiteException(String.join("; ", faults), null);
    }
}
