package io.sluice.emulator.throughput;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Limits of the throughput of single physical partitions, whatever was bought. Thread-safe. */
public final class PartitionLimits {
    private final Map<String, Integer> byContainer = new ConcurrentHashMap<>();

    /** Sets the request units per second of each partition of a container; 0 for as many as were bought. */
    public void set(String containerRid, int perSecond) {
        if (perSecond == 0) {
            byContainer.remove(containerRid);
        } else {
            byContainer.put(containerRid, perSecond);
        }
    }

    /** The request units per second of each partition of a container; null for as many as were bought. */
    public @Nullable Integer of(String containerRid) {
        return byContainer.get(containerRid);
    }

    /** Whether no container is limited. */
    public boolean isEmpty() {
        return byContainer.isEmpty();
    }
}
