package io.sluice.provider.request;

import io.sluice.provider.ProviderException;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.request.OperationObserver.Result;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the contract's operations, counts what each costs, and logs those that kept the store busy for long.
 * Thread-safe.
 */
public final class Operations {
    private static final Logger LOG = LoggerFactory.getLogger(Operations.class);

    /** What a logical partition may hold: the service's limit. */
    static final long PARTITION_LIMIT_BYTES = 20L << 30;
    /** One turn shows the current execution only; earlier ones and the index weigh on top, so this is early. */
    private static final int PARTITION_WARNING_PERCENT = 1;

    private final OperationObserver observer;
    private final long slowNanos;
    private final RunningOperations running = new RunningOperations();
    private final AtomicBoolean toldOfNewer = new AtomicBoolean();
    private @Nullable Failing failing;
    private long succeededNanos = System.nanoTime();

    /**
     * Operations fail, in passing as each of them says, and none has succeeded meanwhile.
     *
     * @param sinceNanos when the first of them began, or the last success ended if that was later
     * @param reason the latest failure
     */
    public record Failing(long sinceNanos, String reason) {}

    /**
     * Operations of one provider.
     *
     * @param slow from which time spent on the store an operation is logged as slow
     */
    public Operations(OperationObserver observer, Duration slow) {
        this.observer = observer;
        this.slowNanos = slow.toNanos();
    }

    /** Runs an operation that answers nothing. */
    public void run(String operation, Runnable body) {
        run(operation, () -> {
            body.run();
            return Boolean.TRUE;
        });
    }

    /**
     * Runs an operation; one within another counts as a part of that.
     *
     * @throws ProviderException permanent, with nothing done, when the provider is closed
     */
    public <T> T run(String operation, Supplier<T> body) {
        if (OperationCost.current() != null) {
            return body.get();
        }
        running.begin(operation);
        OperationCost cost = OperationCost.begin(operation);
        Result result = Result.PERMANENT;
        long begunNanos = System.nanoTime();
        try {
            T answer = body.get();
            result = answer instanceof Optional<?> some && some.isEmpty() ? Result.EMPTY : Result.OK;
            answered(cost);
            return answer;
        } catch (ProviderException e) {
            result = resultOf(cost, e);
            failed(cost, begunNanos, e);
            throw e;
        } catch (MalformedDocumentException e) {
            throw ProviderException.permanent(
                    operation, operation + " met a document that can't be read: " + e.getMessage(), e);
        } finally {
            OperationCost.end();
            running.end();
            observer.ended(cost, result);
            if (cost.storeNanos() >= slowNanos) {
                log(cost, result);
            }
            if (cost.newerDocument() != null && toldOfNewer.compareAndSet(false, true)) {
                LOG.atWarn()
                        .addKeyValue("operation", operation)
                        .addKeyValue("document", cost.newerDocument())
                        .log(
                                "a newer release writes to this store; its instances are left to it, and this is not said again: replace this process when the roll-out goes on");
            }
            if (cost.partitionBytes() * 100 >= PARTITION_LIMIT_BYTES * PARTITION_WARNING_PERCENT) {
                LOG.atWarn()
                        .addKeyValue("subject", cost.subject())
                        .addKeyValue("bytesOfCurrentExecution", cost.partitionBytes())
                        .addKeyValue("limitBytes", PARTITION_LIMIT_BYTES)
                        .log(
                                "an instance's partition grows large and will be full one day; continue it as new, and prune old executions");
            }
        }
    }

    /** What asked the store nothing, as a fetch of announced work, says nothing of it. */
    private synchronized void answered(OperationCost cost) {
        if (cost.requests() > 0) {
            failing = null;
            succeededNanos = System.nanoTime();
        }
    }

    /** A permanent failure is an answer of the store's, too. */
    private synchronized void failed(OperationCost cost, long begunNanos, ProviderException failure) {
        if (!failure.retryable()) {
            answered(cost);
            return;
        }
        long sinceNanos = succeededNanos - begunNanos > 0 ? succeededNanos : begunNanos;
        failing =
                new Failing(failing == null ? sinceNanos : failing.sinceNanos(), String.valueOf(failure.getMessage()));
    }

    /** Whether operations fail, and since when; empty while they do not. */
    public synchronized Optional<Failing> failing() {
        return Optional.ofNullable(failing);
    }

    /** Lets no operation begin any more; those that run go on. */
    public void close() {
        running.close();
    }

    /** Whether it was closed; a running operation then takes no more locks. */
    public boolean isClosed() {
        return running.isClosed();
    }

    /**
     * Waits until no operation runs.
     *
     * @return how many still run: 0, unless the time was too short or the thread was interrupted, which sets its flag
     *     again
     */
    public int awaitEnd(Duration atMost) {
        return running.awaitEnd(atMost);
    }

    private static Result resultOf(OperationCost cost, ProviderException failure) {
        if (failure.retryable()) {
            return Result.RETRYABLE;
        }
        return cost.isLockLost() ? Result.LOCK_LOST : Result.PERMANENT;
    }

    /**
     * Names and numbers only; the SDK's account of the slowest request, which names addresses but shows no content, at
     * the debug level.
     */
    private static void log(OperationCost cost, Result result) {
        var line = LOG.atWarn()
                .addKeyValue("operation", cost.operation())
                .addKeyValue("subject", cost.subject())
                .addKeyValue("result", result.name().toLowerCase(Locale.ROOT))
                .addKeyValue("millis", TimeUnit.NANOSECONDS.toMillis(cost.storeNanos()))
                .addKeyValue("requestUnits", Math.round(cost.requestUnits() * 100) / 100.0)
                .addKeyValue("requests", cost.requests())
                .addKeyValue("retries", cost.retries())
                .addKeyValue("throttles", cost.throttles());
        var slowest = cost.slowest();
        if (slowest != null && LOG.isDebugEnabled()) {
            line = line.addKeyValue("diagnostics", slowest);
        }
        line.log("an operation was slow");
    }
}
