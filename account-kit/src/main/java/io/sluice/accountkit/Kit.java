package io.sluice.accountkit;

import com.azure.cosmos.CosmosException;
import io.sluice.accountkit.check.Assumption;
import io.sluice.accountkit.report.Finding;
import io.sluice.accountkit.report.Outcome;
import io.sluice.accountkit.site.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/** Tries assumptions one after the other; none that fails or takes too long keeps the others from it. */
final class Kit {
    /** Answers that say nothing about an assumption: the service could not, at that moment. */
    private static final Set<Integer> PASSING = Set.of(0, 408, 410, 429, 449, 500, 502, 503);

    private final Site site;
    private final BiConsumer<Finding, Duration> listener;

    /**
     * In this place.
     *
     * @param listener is told each finding as soon as it is there, and how long it took
     */
    Kit(Site site, BiConsumer<Finding, Duration> listener) {
        this.site = site;
        this.listener = listener;
    }

    /**
     * All findings, in the order of the assumptions.
     *
     * @throws io.sluice.accountkit.site.EndedException when the place was closed meanwhile
     */
    List<Finding> run(List<Assumption> assumptions) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        for (Assumption each : assumptions) {
            long begin = System.nanoTime();
            Finding finding = new Finding(each.name(), each.expected(), each.source(), outcome(each));
            // What failed then says nothing.
            site.requireOpen();
            listener.accept(finding, Duration.ofNanos(System.nanoTime() - begin));
            findings.add(finding);
        }
        return findings;
    }

    private Outcome outcome(Assumption assumption) throws InterruptedException {
        ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "sluice-account-kit");
            thread.setDaemon(true);
            return thread;
        });
        Duration limit = assumption.limit();
        Future<Outcome> running = worker.submit(() -> assumption.run(site));
        try {
            return running.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Outcome.notTried("not done within " + limit.toSeconds() + " s");
        } catch (ExecutionException e) {
            return failed(e.getCause() == null ? e : e.getCause());
        } finally {
            worker.shutdownNow();
        }
    }

    private static Outcome failed(Throwable failure) {
        if (failure instanceof CosmosException answer) {
            String status = "the service answered " + answer.getStatusCode() + "/" + answer.getSubStatusCode();
            return PASSING.contains(answer.getStatusCode()) ? Outcome.notTried(status) : Outcome.differs(status);
        }
        return Outcome.notTried("failed: " + failure.getClass().getSimpleName() + ": " + failure.getMessage());
    }
}
