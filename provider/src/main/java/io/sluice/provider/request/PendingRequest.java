package io.sluice.provider.request;

import com.azure.cosmos.CosmosDiagnostics;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import io.sluice.provider.ProviderException;
import io.sluice.provider.request.RequestObserver.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the answer of one request and returns its outcome. Pages are noted by the SDK's threads, the end by the
 * caller's.
 */
final class PendingRequest {
    private static final long GLANCE_MILLIS = 250;

    private final Call call;
    private final RequestObserver observer;
    private final RequestLimits limits;
    private final RequestLimits.Admission admission;
    private final AtomicBoolean isAdmitted = new AtomicBoolean(true);
    private final long sentNanos;
    private long heardNanos;
    private int pages;
    private double requestUnits;
    private Map<String, String> headers = Map.of();
    private @Nullable CosmosDiagnostics diagnostics;

    /**
     * Of a request that is sent next, and whose answer the caller then awaits. Waits until it may be sent.
     *
     * @param atOnce how many requests it is at once, if that may be
     * @throws ProviderException retryable when none may be sent before the call's deadline
     */
    PendingRequest(Call call, RequestObserver observer, RequestObserver.Way way, RequestLimits limits, int atOnce) {
        this.call = call;
        this.observer = observer;
        this.limits = limits;
        this.admission = limits.admit(call, atOnce);
        observer.sending(call, way);
        this.sentNanos = System.nanoTime();
        this.heardNanos = sentNanos;
    }

    /** Sends it. */
    <T> CompletableFuture<T> send(Supplier<CompletableFuture<T>> request) {
        try {
            return request.get();
        } catch (RuntimeException | Error e) {
            leave();
            throw e;
        }
    }

    /** How many of these it may send at once. */
    int together(int requests) {
        return limits.together(requests);
    }

    /** Whether it may send as many at once as it likes. */
    boolean isUnlimited() {
        return !limits.areLimitedAtOnce();
    }

    /** With the group that its call belongs to. */
    CosmosQueryRequestOptions grouped(CosmosQueryRequestOptions options) {
        return limits.grouped(call, options);
    }

    private void leave() {
        if (isAdmitted.compareAndSet(true, false)) {
            admission.close();
        }
    }

    /**
     * Waits for the answer of a write, which the caller then reports.
     *
     * @throws ProviderException retryable, when the thread is interrupted
     * @throws RequestFailedException carrying whatever else went wrong, to be classified
     */
    <T> T await(CompletableFuture<T> answer, Duration timeout) throws RequestFailedException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            leave();
            throw Failures.interrupted(call, e);
        } catch (ExecutionException e) {
            throw new RequestFailedException(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new RequestFailedException(new TimeoutException("none came for " + timeout.toMillis() + " ms"));
        }
    }

    /** Waits for the answer of a read and reports its end, all its pages having been noted. */
    <T> T read(CompletableFuture<T> answer, Duration timeout) throws RequestFailedException {
        T result = await(answer, timeout);
        end(Kind.OK);
        return result;
    }

    /**
     * Waits for the end of a read, and reports it, all its pages having been noted. The thread that waits keeps the
     * limit: a timer of Reactor's would run on threads that others may hold.
     *
     * @param pageTimeout it has failed when no page came for so long
     * @param wanted asked now and then
     * @return false when it is not wanted any more, and was given up
     */
    boolean read(CompletableFuture<?> answer, Duration pageTimeout, BooleanSupplier wanted)
            throws RequestFailedException {
        while (!awaitEnd(answer)) {
            if (!wanted.getAsBoolean()) {
                answer.cancel(true);
                end(Kind.AMBIGUOUS);
                return false;
            }
            if (silenceNanos() > pageTimeout.toNanos()) {
                answer.cancel(true);
                throw new RequestFailedException(
                        new TimeoutException("no page came for " + pageTimeout.toMillis() + " ms"));
            }
        }
        end(Kind.OK);
        return true;
    }

    /** Gives a read up that nobody waits for, and reports it with the pages that came. */
    void cancel(CompletableFuture<?> answer) {
        answer.cancel(true);
        end(Kind.AMBIGUOUS);
    }

    private boolean awaitEnd(CompletableFuture<?> answer) throws RequestFailedException {
        try {
            answer.get(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            answer.cancel(true);
            leave();
            throw Failures.interrupted(call, e);
        } catch (ExecutionException e) {
            throw new RequestFailedException(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            return false;
        }
    }

    private synchronized long silenceNanos() {
        return System.nanoTime() - heardNanos;
    }

    /** A page of a read has come. */
    void page(FeedResponse<?> page) {
        page(page.getRequestCharge(), page.getResponseHeaders(), page.getCosmosDiagnostics());
    }

    /** A page of a read has come. */
    synchronized void page(
            double charge, @Nullable Map<String, String> itsHeaders, @Nullable CosmosDiagnostics itsDiagnostics) {
        pages++;
        heardNanos = System.nanoTime();
        requestUnits += charge;
        headers = itsHeaders == null ? Map.of() : itsHeaders;
        diagnostics = itsDiagnostics;
    }

    /** The answer of a write. */
    void answered(
            Kind kind,
            double charge,
            @Nullable Map<String, String> itsHeaders,
            @Nullable CosmosDiagnostics itsDiagnostics) {
        page(charge, itsHeaders, itsDiagnostics);
        end(kind);
    }

    /** No answer, or one that the SDK throws; says what it means. */
    WriteOutcome failed(Throwable failure) {
        return failed(failure, Answers.of(failure));
    }

    /** The same for a write, which the client library may have sent to several regions. */
    WriteOutcome writeFailed(Throwable failure) {
        return failed(failure, Answers.ofWrite(failure));
    }

    private WriteOutcome failed(Throwable failure, WriteOutcome outcome) {
        if (failure instanceof CosmosException e) {
            page(e.getRequestCharge(), e.getResponseHeaders(), e.getDiagnostics());
        }
        end(Kind.of(outcome));
        return outcome;
    }

    private synchronized void end(Kind kind) {
        leave();
        var ended = new RequestObserver.Ended(
                call, kind, Math.max(1, pages), requestUnits, sentNanos, System.nanoTime(), headers, diagnostics);
        OperationCost cost = OperationCost.current();
        if (cost != null) {
            cost.add(ended);
        }
        observer.ended(ended);
    }
}
