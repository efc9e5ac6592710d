package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.worker.Connection;
import io.sluice.durabletask.worker.WorkerStream;
import java.util.Objects;

/**
 * Work that a worker holds.
 *
 * @param <T> what it is about
 * @param legacyKey names it for workers of old SDKs, which send no token
 * @param attempt how often it has been fetched; 1 the first time
 * @param lockEnd when its lock lapses unless it is renewed, by {@link System#nanoTime}
 */
record Assignment<T>(
        CompletionToken token, String legacyKey, T work, int attempt, WorkerStream stream, LockEnd lockEnd) {
    Assignment {
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(work, "work");
        Objects.requireNonNull(stream, "stream");
    }

    String instance() {
        return token.instance();
    }

    Connection connection() {
        return stream.connection();
    }

    String lockToken() {
        return token.lockToken();
    }
}
