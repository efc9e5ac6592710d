package io.sluice.relay.ops;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * When each worker of the relay last came through: it has done something, or has seen that there was nothing it could do. Libraries beneath it have been seen to stop
 * without a word, so what counts is this and not that a thread is alive. Thread-safe.
 */
public final class Heartbeats {
    private final LongSupplier nanoTime;
    private final Map<String, Long> latest = new ConcurrentHashMap<>();

    /** By the machine's monotonic clock. */
    public Heartbeats() {
        this(System::nanoTime);
    }

    /** By another monotonic clock, in nanoseconds. */
    public Heartbeats(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** This worker came through just now. */
    public void beat(String worker) {
        latest.put(worker, nanoTime.getAsLong());
    }

    /** This worker was ended on purpose. */
    public void forget(String worker) {
        latest.remove(worker);
    }

    /** How long ago it came through; asking for an unknown worker begins the count. */
    public Duration silence(String worker) {
        long now = nanoTime.getAsLong();
        long beat = latest.computeIfAbsent(worker, first -> now);
        return Duration.ofNanos(Math.max(0, now - beat));
    }
}
