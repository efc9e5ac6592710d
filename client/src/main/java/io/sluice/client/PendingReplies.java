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

/** Who waits for a reply. Futures end in the common pool, so that what hangs on them may take its time. Thread-safe. */
final class PendingReplies {
    private final Map<String, List<Waiting>> byId = new HashMap<>();

    private record Waiting(String instance, CompletableFuture<Reply> arrival) {}

    /**
     * Begins to wait for the reply to a command.
     *
     * @param late makes the exception after a timeout
     */
    CompletableFuture<Reply> await(
            String commandId, String instance, Duration timeout, Supplier<CommandException> late) {
        var waiting = new Waiting(instance, new CompletableFuture<>());
        add(commandId, waiting);
        var outcome = new CompletableFuture<Reply>();
        // This future only ends the other one.
        var unused = waiting.arrival()
                .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .whenCompleteAsync((reply, failure) -> {
                    remove(commandId, waiting);
                    if (failure == null) {
                        outcome.complete(reply);
                    } else {
                        outcome.completeExceptionally(failure instanceof TimeoutException ? late.get() : failure);
                    }
                });
        var unusedToo =
                outcome.whenComplete((reply, failure) -> waiting.arrival().cancel(false));
        return outcome;
    }

    boolean isAwaited(String commandId) {
        synchronized (byId) {
            return byId.containsKey(commandId);
        }
    }

    /**
     * Ends every wait for this reply. There are several when an id was sent several times; all its replies are the
     * same.
     */
    void settle(String instance, Reply reply) {
        waitingFor(reply.commandId()).stream()
                .filter(waiting -> waiting.instance().equals(instance))
                .forEach(waiting -> waiting.arrival().complete(reply));
    }

    /** Ends every wait with {@link CommandException.Closed}. */
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
