package io.sluice.durabletask.dispatch;

import io.grpc.Status;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Commits each answer once, however often it is sent: who repeats one that is being committed gets the outcome of that,
 * and one that was committed gets OK again. Thread-safe.
 */
final class AnswerOnce {
    private static final int REMEMBERED = 10_000;

    private final ConcurrentMap<String, CompletableFuture<Void>> running = new ConcurrentHashMap<>();
    private final Set<String> committed = Collections.synchronizedSet(Collections.newSetFromMap(new Latest()));

    /**
     * Commits an answer unless it is, or was, committed already.
     *
     * @param commit throws {@link io.grpc.StatusRuntimeException} when it is not
     */
    void once(String token, Runnable commit) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> first = running.putIfAbsent(token, mine);
        if (first != null) {
            await(first);
            return;
        }
        try {
            if (!committed.contains(token)) {
                commit.run();
                committed.add(token);
            }
            mine.complete(null);
        } catch (RuntimeException | Error e) {
            // Whoever repeats it waits for this end.
            mine.completeExceptionally(e);
            throw e;
        } finally {
            running.remove(token);
        }
    }

    private static void await(CompletableFuture<Void> first) {
        try {
            first.join();
        } catch (CompletionException e) {
            throw Status.fromThrowable(e).asRuntimeException();
        }
    }

    private static final class Latest extends LinkedHashMap<String, Boolean> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }
}
