package io.sluice.provider.cosmos.turn.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.provider.cosmos.search.HeapBytes;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.outbox.Intent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What this process left behind at its last ack of an instance. Never trusted by itself: the next lock names the
 * version, and takes only if nothing moved since. Thread-safe.
 */
public final class InstanceCache {
    /** Rough heap size of all entries together. */
    private static final long MAX_BYTES = 64L << 20;

    private static final Duration UNUSED = Duration.ofMinutes(10);
    private static final int HEAD_AND_ENTRY = 4;

    private final Cache<String, Entry> entries = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .<String, Entry>weigher((instanceId, entry) -> entry.weight())
            .expireAfterAccess(UNUSED)
            .build();

    /**
     * An instance as it was left.
     *
     * @param history of the current execution, complete
     * @param openIntents not known to be delivered
     */
    public record Entry(
            Stored<InstanceDocument> head, Histories.Decoded history, KeyValues keyValues, List<Intent> openIntents) {
        private int weight() {
            long bytes = HeapBytes.of(HEAD_AND_ENTRY, 0)
                    + history.weight()
                    + keyValues.weight()
                    + HeapBytes.ofIntents(openIntents);
            return (int) Math.min(Integer.MAX_VALUE, bytes);
        }
    }

    /** What is remembered of an instance. */
    public Optional<Entry> get(String instanceId) {
        return Optional.ofNullable(entries.getIfPresent(instanceId));
    }

    /** Remembers an instance, in place of what was remembered of it. */
    public void put(String instanceId, Entry entry) {
        entries.put(instanceId, entry);
    }

    /** Remembers nothing of an instance any more. */
    public void forget(String instanceId) {
        entries.invalidate(instanceId);
    }
}
