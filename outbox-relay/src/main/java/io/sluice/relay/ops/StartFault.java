package io.sluice.relay.ops;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something outside of the relay keeps it from starting; the message says what, and what to do about it. */
public final class StartFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartFault(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** One fault that names all of several. */
    public static StartFault of(List<String> faults) {
        return new StartFault(String.join("; ", faults), null);
    }
}
