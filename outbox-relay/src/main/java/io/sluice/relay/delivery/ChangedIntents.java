package io.sluice.relay.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.outbox.Intent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts the sources of changed intents into the queue: what the change feed shows is a signal, never the intent itself.
 * Thread-safe.
 */
final class ChangedIntents {
    /** Older ones wait for newer ones: who reads a backlog of the feed shows many at once. */
    private static final Duration NEW_FOR = Duration.ofSeconds(30);

    /** Sources of which it is known what a drain has to find. */
    private static final int MOST_EXPECTED = 10_000;
    /** If one of them is not found, a further drain finds the others as well. */
    private static final int MOST_OF_SOURCE = 10;

    private final SourceQueue queue;
    private final SourceDrains drains;
    private final InstantSource clock;
    private final Map<String, Set<Version>> expected = new ConcurrentHashMap<>();

    /** A version of an intent's document. */
    record Version(String id, String etag) {}

    ChangedIntents(SourceQueue queue, SourceDrains drains, InstantSource clock) {
        this.queue = queue;
        this.drains = drains;
        this.clock = clock;
    }

    /** Where sources wait. */
    SourceQueue queue() {
        return queue;
    }

    /** By which they are due. */
    InstantSource clock() {
        return clock;
    }

    /**
     * Enqueues the sources of changes.
     *
     * @return false if there was no room for a source that is due
     */
    boolean enqueue(List<JsonNode> documents) {
        boolean hadRoom = true;
        for (var document : documents) {
            if (Intent.isUndelivered(document) && isNew(document)) {
                hadRoom &= enqueue(document);
            }
        }
        return hadRoom;
    }

    private boolean enqueue(JsonNode intent) {
        var source = intent.path("instanceId").asText();
        long now = clock.millis();
        long due = Math.max(dueMillis(intent), now);
        if (due > now) {
            // If there is no room, a sweep finds it then.
            add(intent, source, due);
            return true;
        }
        expect(source, version(intent));
        return add(intent, source, due);
    }

    private boolean add(JsonNode intent, String source, long dueMillis) {
        return isOld(intent) ? queue.addBacklog(source, dueMillis) : queue.add(source, dueMillis);
    }

    private void expect(String source, Version version) {
        if (expected.size() < MOST_EXPECTED) {
            expected.compute(source, (key, versions) -> {
                Set<Version> known = versions == null ? ConcurrentHashMap.newKeySet() : versions;
                if (known.size() < MOST_OF_SOURCE) {
                    known.add(version);
                }
                return known;
            });
        }
    }

    /** What the feed has shown of a source since this was asked last: what a drain that begins now has to find. */
    Set<Version> takeExpected(String source) {
        return Optional.ofNullable(expected.remove(source)).orElse(Set.of());
    }

    /**
     * Whether a drain that has just ended did not find what it had to. Who else delivers it may have removed it; or the
     * drain was answered by a copy of the store that lags behind the feed, so it is worth another drain.
     */
    boolean isMissed(Set<Version> versions) {
        return versions.stream().anyMatch(version -> drains.isNew(version.id(), version.etag()));
    }

    /** By the time of the last change that the store notes. */
    private boolean isOld(JsonNode document) {
        long changed = document.path("_ts").asLong();
        return changed > 0 && clock.millis() - changed * 1_000 > NEW_FOR.toMillis();
    }

    private boolean isNew(JsonNode intent) {
        var version = version(intent);
        return drains.isNew(version.id(), version.etag());
    }

    private static Version version(JsonNode intent) {
        return new Version(intent.path("id").asText(), intent.path("_etag").asText());
    }

    private static long dueMillis(JsonNode intent) {
        return Math.max(
                intent.path("deliverAfter").asLong(),
                intent.path("nextAttemptAt").asLong());
    }
}
