package io.sluice.program.cli;

import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks of what a program needs, side by side, so that one that gets no answer hides no other's fault; all of them
 * together take no longer than a limit. Each runs on a thread of its own, which is interrupted and left to itself when
 * the time is over. Not thread-safe.
 */
public final class Checks {
    /** By default: shorter than what people wait for, and than what init containers and pipelines are given. */
    public static final Duration LIMIT = Duration.ofSeconds(12);

    /** What to do about a store that does not answer. */
    public static final String OF_STORE =
            "see whether it hangs, throttles or is still starting, and whether this machine is busy; then check again";

    private static final Logger LOG = LoggerFactory.getLogger(Checks.class);

    private final Duration limit;
    private final long begunNanos = System.nanoTime();
    private final List<Begun> begun = new ArrayList<>();

    private record Begun(String who, String remedy, boolean isNeeded, FutureTask<List<String>> check) {
        String silence(Duration limit) {
            return who + " did not answer within " + limit.toSeconds() + " s; " + remedy;
        }

        /** Waits for its end. */
        boolean isWell() throws InterruptedException {
            try {
                check.get();
                return true;
            } catch (ExecutionException | CancellationException e) {
                // Its own entry tells it.
                return false;
            }
        }

        String failure(Throwable failure) {
            if (failure instanceof PrerequisiteException || failure instanceof ProviderException) {
                return isNeeded ? String.valueOf(failure.getMessage()) : who + ": " + failure.getMessage();
            }
            LOG.atWarn().addKeyValue("asked", who).setCause(failure).log("a check failed as nobody foresaw");
            return who + " could not be checked: " + FailureReason.of(failure);
        }
    }

    /** Begins none yet. */
    public Checks(Duration limit) {
        this.limit = limit;
    }

    /**
     * Begins a check of something without which the program can't work.
     *
     * @param who is asked, such as {@code Kafka at broker:9092}
     * @param remedy what to do when there is no answer in time
     * @param check returns what could be better, a line each; throws {@link PrerequisiteException} or
     *     {@link ProviderException} for a fault. Anything else that it throws is a fault, too, and is logged with its
     *     stack trace
     */
    public void need(String who, String remedy, Callable<List<String>> check) {
        begin(who, remedy, true, check);
    }

    /**
     * The same, with further checks of the same thing. They begin, side by side, once the first has found no fault;
     * what one of them finds is told also when another gets no answer.
     */
    public void need(String who, String remedy, Callable<List<String>> first, List<Callable<List<String>>> further) {
        Begun begins = begin(who, remedy, true, first);
        further.forEach(check -> begin(who, remedy, true, () -> begins.isWell() ? check.call() : List.of()));
    }

    /** The same for something that the program can do without: no answer, or a fault, is a warning. */
    public void advise(String who, String remedy, Callable<List<String>> check) {
        begin(who, remedy, false, check);
    }

    private Begun begin(String who, String remedy, boolean isNeeded, Callable<List<String>> check) {
        FutureTask<List<String>> task = new FutureTask<>(check);
        Begun entry = new Begun(who, remedy, isNeeded, task);
        begun.add(entry);
        Thread thread = new Thread(task, "sluice-check-" + begun.size());
        thread.setDaemon(true);
        thread.start();
        return entry;
    }

    /**
     * Waits for all.
     *
     * @return what could be better, each line once, in the order in which the checks were begun
     * @throws PrerequisiteException naming every fault
     */
    public List<String> await() throws InterruptedException {
        Set<String> advice = new LinkedHashSet<>();
        // Checks of one thing that hang say so in the same words.
        Set<String> faults = new LinkedHashSet<>();
        for (Begun each : begun) {
            try {
                advice.addAll(each.check().get(leftNanos(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                each.check().cancel(true);
                (each.isNeeded() ? faults : advice).add(each.silence(limit));
            } catch (ExecutionException e) {
                (each.isNeeded() ? faults : advice).add(each.failure(e.getCause() == null ? e : e.getCause()));
            }
        }
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(List.copyOf(faults));
        }
        return List.copyOf(advice);
    }

    private long leftNanos() {
        return Math.max(0, limit.toNanos() - (System.nanoTime() - begunNanos));
    }
}
