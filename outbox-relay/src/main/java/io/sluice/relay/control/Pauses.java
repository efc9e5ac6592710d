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
 * Which pipelines an operator has paused. It lives in the memory of this replica: a restart resumes everything, and
 * other replicas go on. Thread-safe.
 */
public final class Pauses {
    private static final Logger LOG = LoggerFactory.getLogger(Pauses.class);

    private volatile Set<Pipeline> paused = Set.of();

    /** Pauses these pipelines after what they have under way. */
    public synchronized void pause(Collection<Pipeline> pipelines) {
        set(pipelines, true);
    }

    /** Lets these pipelines go on. */
    public synchronized void resume(Collection<Pipeline> pipelines) {
        set(pipelines, false);
    }

    private void set(Collection<Pipeline> pipelines, boolean toPaused) {
        var changed = EnumSet.noneOf(Pipeline.class);
        changed.addAll(paused);
        if (toPaused ? changed.addAll(pipelines) : changed.removeAll(pipelines)) {
            paused = Set.copyOf(changed);
            notifyAll();
            LOG.atWarn()
                    .addKeyValue("pipelines", pipelines)
                    .log(toPaused ? "paused by an operator" : "resumed by an operator");
        }
    }

    /** Waits for a pipeline to be resumed, at most so many milliseconds. */
    public synchronized void awaitResumed(Pipeline pipeline, long atMostMillis) throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
        long leftNanos = endNanos - System.nanoTime();
        while (isPaused(pipeline) && leftNanos > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            leftNanos = endNanos - System.nanoTime();
        }
    }

    /** Whether this pipeline is paused. */
    public boolean isPaused(Pipeline pipeline) {
        return paused.contains(pipeline);
    }

    /** The labels of the paused pipelines, in the order of {@link Pipeline}. */
    public List<String> labels() {
        var now = paused;
        return Arrays.stream(Pipeline.values())
                .filter(now::contains)
                .map(Pipeline::label)
                .toList();
    }
}
