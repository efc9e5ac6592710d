package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.turn.Pauses;
import io.sluice.durabletask.worker.WorkFilter;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.Workers;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches and assigns work of one kind, one item at a time, as long as a worker can take some. */
final class DispatchLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DispatchLoop.class);
    private static final Pauses PAUSES = new Pauses(Duration.ofMillis(100), Duration.ofSeconds(5));

    private final WorkKind kind;
    private final Workers workers;
    private final Step step;
    private final CountDownLatch closed;
    private final RetryPauses pauses;

    /** Fetches an item that somebody takes, and assigns it. */
    @FunctionalInterface
    interface Step {
        void dispatch(WorkFilter filter);
    }

    DispatchLoop(WorkKind kind, Workers workers, Step step, CountDownLatch closed) {
        this.kind = kind;
        this.workers = workers;
        this.step = step;
        this.closed = closed;
        this.pauses = new RetryPauses(PAUSES, closed);
    }

    @Override
    public void run() {
        try {
            boolean goesOn = true;
            while (goesOn) {
                Optional<WorkFilter> filter = workers.awaitCredit(kind);
                goesOn = filter.isPresent() && dispatch(filter.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean dispatch(WorkFilter filter) throws InterruptedException {
        try {
            step.dispatch(filter);
            pauses.reset();
            return true;
        } catch (ProviderException e) {
            if (!isClosed()) {
                LOG.atWarn()
                        .addKeyValue("kind", kind)
                        .addKeyValue("reason", e.getMessage())
                        .addKeyValue("nextMillis", pauses.next().toMillis())
                        .log("work can't be fetched, will try again");
            }
            return !pauses.awaitNextOrClose();
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("kind", kind).setCause(e).log("work can't be assigned, its lock will lapse");
            return !pauses.awaitNextOrClose();
        } finally {
            workers.fetched(kind);
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }
}
