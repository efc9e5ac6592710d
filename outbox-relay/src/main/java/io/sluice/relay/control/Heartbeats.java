package io.sluice.relay.control;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * When each worker of the relay last finished a step, with or without work. Client libraries have been seen to hang
 * silently, so a recent heartbeat counts and not that a thread is alive. Thread-safe.
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

    /** This worker has finished a step just now. */
    public void beat(String worker) {
        latest.put(worker, nanoTime.getAsLong());
    }

    /** This worker was ended on purpose. */
    public void forget(String worker) {
        latest.remove(worker);
    }

    /** How long ago its last heartbeat was; the first call for an unknown worker counts as its heartbeat. */
    public Duration silence(String worker) {
        long now = nanoTime.getAsLong();
        long beat = latest.computeIfAbsent(worker, first -> now);
        return Duration.ofNanos(Math.max(0, now - beat));
    }
}
