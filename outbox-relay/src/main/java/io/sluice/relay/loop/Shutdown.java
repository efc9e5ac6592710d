package io.sluice.relay.loop;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the parts of a program: one after another, or several at once within a common time limit. A part that fails to
 * close does not keep the others open. Not thread-safe.
 */
public final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    /** The least time for a group, and for interrupted parts to release their connections. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final long startNanos = System.nanoTime();
    private final Duration whole;

    private record Closer(String part, Thread thread) {}

    private Shutdown(Duration whole) {
        this.whole = whole;
    }

    /** Begins to close; the time runs from now. */
    public static Shutdown within(Duration whole) {
        return new Shutdown(whole);
    }

    /**
     * Closes several parts at once. Parts that have not closed when a share of the whole time is over, counted from its
     * beginning, are interrupted and left behind; the minimum is a second.
     *
     * @param share of the whole time, 0 to 1
     */
    public Shutdown together(double share, AutoCloseable... things) {
        var closers = Arrays.stream(things).map(Shutdown::closer).toList();
        long graceNanos = System.nanoTime() + GRACE.toNanos();
        long deadlineNanos = startNanos + (long) (whole.toNanos() * share);
        try {
            awaitAll(closers, deadlineNanos - graceNanos < 0 ? graceNanos : deadlineNanos);
            var late =
                    closers.stream().filter(closer -> closer.thread().isAlive()).toList();
            late.forEach(closer -> {
                LOG.atWarn()
                        .addKeyValue("part", closer.part())
                        .log("a part of the relay did not close within the drain timeout and is interrupted");
                closer.thread().interrupt();
            });
            awaitAll(late, System.nanoTime() + GRACE.toNanos());
        } catch (InterruptedException e) {
            closers.forEach(closer -> closer.thread().interrupt());
            Thread.currentThread().interrupt();
        }
        return this;
    }

    private static Closer closer(AutoCloseable thing) {
        var name = thing.getClass().getSimpleName();
        var thread = Threads.named("sluice-close-" + name).newThread(() -> quietly(thing));
        thread.start();
        return new Closer(name, thread);
    }

    private static void awaitAll(List<Closer> closers, long deadlineNanos) throws InterruptedException {
        for (var closer : closers) {
            long leftMillis =
                    Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis();
            closer.thread().join(Math.max(1, leftMillis));
        }
    }

    public static void quietly(AutoCloseable... things) {
        for (AutoCloseable thing : things) {
            try {
                thing.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                LOG.atWarn()
                        .addKeyValue("part", thing.getClass().getSimpleName())
                        .setCause(e)
                        .log("a part of the relay failed to close, the others are closed next");
            }
        }
    }
}
