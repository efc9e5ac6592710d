package io.sluice.relay.control;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which parts an operator has paused. It lives in the memory of this replica: a restart resumes everything, and other
 * replicas go on. Thread-safe.
 */
public final class Pauses {
    private static final Logger LOG = LoggerFactory.getLogger(Pauses.class);

    private volatile Set<Pipeline> paused = Set.of();

    /** Pauses these parts after what they have under way. */
    public synchronized void pause(Collection<Pipeline> parts) {
        set(parts, true);
    }

    /** Lets these parts go on. */
    public synchronized void resume(Collection<Pipeline> parts) {
        set(parts, false);
    }

    private void set(Collection<Pipeline> parts, boolean toPaused) {
        var changed = EnumSet.noneOf(Pipeline.class);
        changed.addAll(paused);
        if (toPaused ? changed.addAll(parts) : changed.removeAll(parts)) {
            paused = Set.copyOf(changed);
            notifyAll();
            LOG.atWarn().addKeyValue("parts", parts).log(toPaused ? "paused by an operator" : "resumed by an operator");
        }
    }

    /** Waits for a part to be resumed, at most so many milliseconds. */
    public synchronized void awaitResumed(Pipeline part, long atMostMillis) throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
        long leftNanos = endNanos - System.nanoTime();
        while (isPaused(part) && leftNanos > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            leftNanos = endNanos - System.nanoTime();
        }
    }

    /** Whether this part is paused. */
    public boolean isPaused(Pipeline part) {
        return paused.contains(part);
    }

    /** The labels of the paused parts, in the order of {@link Pipeline}. */
    public List<String> labels() {
        var now = paused;
        return Arrays.stream(Pipeline.values())
                .filter(now::contains)
                .map(Pipeline::label)
                .toList();
    }
}
