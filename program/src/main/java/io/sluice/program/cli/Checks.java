package io.sluice.program.cli;

import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Checks of what a program needs, side by side, so that one that gets no answer hides no other's fault; all of them
 * together take no longer than a limit. Each runs on a thread of its own, which is interrupted and left to itself when
 * the time is over. Not thread-safe.
 */
public final class Checks {
    /** Shorter than what people wait for, and than what init containers and pipelines are given. */
    public static final Duration LIMIT = Duration.ofSeconds(12);

    /** What to do about a store that does not answer. */
    public static final String OF_STORE =
            "see whether it hangs, throttles or is still starting, and whether this machine is busy; then check again";

    private final Duration limit;
    private final long begunNanos = System.nanoTime();
    private final List<Begun> begun = new ArrayList<>();

    private record Begun(String who, String remedy, boolean isNeeded, FutureTask<List<String>> check) {
        String silence(Duration limit) {
            return who + " did not answer within " + limit.toSeconds() + " s; " + remedy;
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
     *     {@link ProviderException} for a fault
     */
    public void need(String who, String remedy, Callable<List<String>> check) {
        begin(who, remedy, true, check);
    }

    /** The same for something that the program can do without: no answer is a warning. */
    public void advise(String who, String remedy, Callable<List<String>> check) {
        begin(who, remedy, false, check);
    }

    private void begin(String who, String remedy, boolean isNeeded, Callable<List<String>> check) {
        FutureTask<List<String>> task = new FutureTask<>(check);
        begun.add(new Begun(who, remedy, isNeeded, task));
        Thread thread = new Thread(task, "sluice-check-" + begun.size());
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits for all.
     *
     * @return what could be better, in the order in which the checks were begun
     * @throws PrerequisiteException naming every fault
     */
    public List<String> await() throws InterruptedException {
        List<String> advice = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (Begun each : begun) {
            try {
                advice.addAll(each.check().get(leftNanos(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                each.check().cancel(true);
                (each.isNeeded() ? faults : advice).add(each.silence(limit));
            } catch (ExecutionException e) {
                faults.add(fault(e.getCause() == null ? e : e.getCause()));
            }
        }
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(faults);
        }
        return advice;
    }

    private long leftNanos() {
        return Math.max(0, limit.toNanos() - (System.nanoTime() - begunNanos));
    }

    private static String fault(Throwable failure) {
        if (failure instanceof PrerequisiteException || failure instanceof ProviderException) {
            return String.valueOf(failure.getMessage());
        }
        if (failure instanceof RuntimeException unexpected) {
            throw unexpected;
        }
        throw new IllegalStateException("a check failed", failure);
    }
}
