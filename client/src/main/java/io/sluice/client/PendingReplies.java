package io.sluice.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who waits for a reply. Futures end in the common pool, so that what hangs on them may take its time. Thread-safe. */
final class PendingReplies {
    private final Map<String, List<Waiting>> byId = new HashMap<>();

    private record Waiting(String instance, CompletableFuture<Reply> arrival) {}

    /**
     * Waits from now on.
     *
     * @param trouble what keeps replies from being read, for who has waited in vain
     */
    CompletableFuture<Reply> await(
            String commandId, String instance, Duration timeout, Supplier<@Nullable Throwable> trouble) {
        var waiting = new Waiting(instance, new CompletableFuture<>());
        add(commandId, waiting);
        var told = new CompletableFuture<Reply>();
        // Nobody looks at what comes of telling: it ends the other future.
        var unused = waiting.arrival()
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .whenCompleteAsync((reply, failure) -> {
                    remove(commandId, waiting);
                    if (failure == null) {
                        told.complete(reply);
                    } else {
                        told.completeExceptionally(
                                failure instanceof TimeoutException
                                        ? new CommandException.NoReply(commandId, timeout.toString(), trouble.get())
                                        : failure);
                    }
                });
        var unusedToo = told.whenComplete((reply, failure) -> waiting.arrival().cancel(false));
        return told;
    }

    boolean isAwaited(String commandId) {
        synchronized (byId) {
            return byId.containsKey(commandId);
        }
    }

    /** Tells all who wait for this; several do when an id was sent several times, and every reply to it says the same. */
    void settle(String instance, Reply reply) {
        waitingFor(reply.commandId()).stream()
                .filter(waiting -> waiting.instance().equals(instance))
                .forEach(waiting -> waiting.arrival().complete(reply));
    }

    /** Nothing will come any more. */
    void endAll() {
        Map<String, List<Waiting>> left;
        synchronized (byId) {
            left = new HashMap<>(byId);
            byId.clear();
        }
        left.forEach((commandId, waiting) -> waiting.forEach(
                each -> each.arrival().completeExceptionally(new CommandException.Closed(commandId, true))));
    }

    private void add(String commandId, Waiting waiting) {
        synchronized (byId) {
            var others = waitingFor(commandId);
            var all = new ArrayList<>(others);
            all.add(waiting);
            byId.put(commandId, all);
        }
    }

    private void remove(String commandId, Waiting waiting) {
        synchronized (byId) {
            var left = new ArrayList<>(waitingFor(commandId));
            left.remove(waiting);
            if (left.isEmpty()) {
                byId.remove(commandId);
            } else {
                byId.put(commandId, left);
            }
        }
    }

    private List<Waiting> waitingFor(String commandId) {
        synchronized (byId) {
            return List.copyOf(byId.getOrDefault(commandId, List.of()));
        }
    }
}
