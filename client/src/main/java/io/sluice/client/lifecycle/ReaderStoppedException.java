package io.sluice.client.lifecycle;

import org.jspecify.annotations.Nullable;

/**
 * A reader ended by itself: its handler answered {@link Verdict#STOP}, or it can't go on. The message says where and
 * what to do.
 */
public final class ReaderStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReaderStoppedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
