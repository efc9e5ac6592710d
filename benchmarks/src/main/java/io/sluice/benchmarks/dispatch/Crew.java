package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.relay.RelayTestbed;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runtimes of one site. */
final class Crew implements RuntimeProcess.Fetches, AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Site site;
    private final Duration ownWorkAfter;
    private final List<RuntimeProcess> processes = new ArrayList<>();
    private final Semaphore ended = new Semaphore(0);
    private final Map<String, Long> fetchedAtNanos = new ConcurrentHashMap<>();

    private Crew(Site site, Duration ownWorkAfter) {
        this.site = site;
        this.ownWorkAfter = ownWorkAfter;
    }

    /** One process with so many dispatchers of each kind, which hears what is announced. */
    static Crew of(Site site, int dispatchers) {
        return of(site, dispatchers, Duration.ZERO);
    }

    /** The same, which waits so long for the announcements of its own messages. */
    static Crew of(Site site, int dispatchers, Duration ownWorkAfter) {
        var crew = new Crew(site, ownWorkAfter);
        var first = crew.add(dispatchers, dispatchers);
        try {
            RelayTestbed.await(() -> site.way() == Way.POLLED || first.hearsAnnouncements());
            return crew;
        } catch (RuntimeException e) {
            crew.close();
            throw e;
        }
    }

    /** No process yet. */
    static Crew empty(Site site) {
        return new Crew(site, Duration.ZERO);
    }

    /** How its processes learn where work is, as figures name it. */
    String way() {
        return ownWorkAfter.isZero() ? site.way().text() : DispatchFigures.PATIENT;
    }

    Site site() {
        return site;
    }

    RuntimeProcess first() {
        return processes.get(0);
    }

    /** Adds a process with so many dispatchers. */
    RuntimeProcess add(int turns, int activities) {
        var process = site.runtime(this, ownWorkAfter);
        processes.add(process.dispatch(turns, activities));
        return process;
    }

    int size() {
        return processes.size();
    }

    /** Starts an orchestration from the first process, and waits for its end and the ends of its children. */
    void play(WorkItem start, int ends) {
        first().provider().enqueueForOrchestrator(start, null);
        awaitEnds(ends);
    }

    /** Waits until so many more instances have ended. */
    void awaitEnds(int count) {
        try {
            if (!ended.tryAcquire(count, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                processes.forEach(RuntimeProcess::checkAllDispatch);
                throw new IllegalStateException(count - ended.availablePermits() + " of " + count + " did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while orchestrations run", e);
        }
    }

    @Override
    public void turn(String instance) {
        fetchedAtNanos.putIfAbsent(instance, System.nanoTime());
    }

    @Override
    public void activity(String instance) {
        fetchedAtNanos.putIfAbsent(instance, System.nanoTime());
    }

    @Override
    public void ended(String instance) {
        ended.release();
    }

    /** When the first work of the instance was fetched ({@link System#nanoTime}); null when none was yet. */
    @Nullable
    Long fetchedAtNanos(String instance) {
        return fetchedAtNanos.get(instance);
    }

    /** Makes sure that nobody has given up. */
    void checkAllDispatch() {
        processes.forEach(RuntimeProcess::checkAllDispatch);
    }

    /** Ends the processes, not their site. */
    @Override
    public void close() {
        processes.forEach(RuntimeProcess::close);
    }
}
