package io.sluice.relay.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.outbox.Intent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Puts the sources of changed intents into the queue: what the change feed shows is a signal, never the intent itself.
 * Thread-safe.
 */
final class ChangedIntents {
    /**
     * Two readers of the feed show each change; both count while it is so new, also while one replica takes over from
     * another.
     */
    private static final Duration NEW_FOR = Duration.ofSeconds(30);

    private final SourceQueue queue;
    private final SourceDrains drains;
    private final InstantSource clock;

    ChangedIntents(SourceQueue queue, SourceDrains drains, InstantSource clock) {
        this.queue = queue;
        this.drains = drains;
        this.clock = clock;
    }

    /** Enqueues the sources of recent changes and ignores older ones. */
    void enqueueRecent(List<JsonNode> documents) {
        enqueueAll(documents.stream().filter(document -> !isOld(document)).toList());
    }

    /**
     * Enqueues the sources of changes of any age.
     *
     * @return one future for each source that is due now, completed when the source was drained
     */
    List<CompletableFuture<Void>> enqueueAll(List<JsonNode> documents) {
        var drained = new ArrayList<CompletableFuture<Void>>();
        for (var document : documents) {
            if (Intent.isUndelivered(document) && isNew(document)) {
                enqueue(document, drained);
            }
        }
        return drained;
    }

    private void enqueue(JsonNode intent, List<CompletableFuture<Void>> drained) {
        var source = intent.path("instanceId").asText();
        long now = clock.millis();
        long due = dueMillis(intent);
        var waiting = due > now ? null : new CompletableFuture<Void>();
        if (waiting != null) {
            drained.add(waiting);
        }
        if (isOld(intent)) {
            queue.addBacklog(source, Math.max(due, now), waiting);
        } else {
            queue.add(source, Math.max(due, now), waiting);
        }
    }

    /** By the time of the last change that the store notes. */
    private boolean isOld(JsonNode document) {
        long changed = document.path("_ts").asLong();
        return changed > 0 && clock.millis() - changed * 1_000 > NEW_FOR.toMillis();
    }

    private boolean isNew(JsonNode intent) {
        return drains.isNew(intent.path("id").asText(), intent.path("_etag").asText());
    }

    private static long dueMillis(JsonNode intent) {
        return Math.max(
                intent.path("deliverAfter").asLong(),
                intent.path("nextAttemptAt").asLong());
    }
}
