package io.sluice.provider.world.site;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.emulator.http.RequestInterceptor;
import io.sluice.provider.world.judge.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The leave to send one request, and what comes of it on the wire. What the SDK sends again by itself goes through.
 * Thread-safe.
 */
public final class Grant {
    private static final long PATIENCE_SECONDS = 60;

    private final Operation operation;
    private final Fault fault;
    private final boolean conditionsForgotten;
    private final CompletableFuture<Boolean> applied = new CompletableFuture<>();
    private final CountDownLatch answered = new CountDownLatch(1);
    private final List<LoggedRequest> requests = new ArrayList<>();
    private boolean struck;

    public Grant(Operation operation, Fault fault, boolean conditionsForgotten) {
        this.operation = operation;
        this.fault = fault;
        this.conditionsForgotten = conditionsForgotten;
    }

    /** What it is part of. */
    public Operation operation() {
        return operation;
    }

    public Fault fault() {
        return fault;
    }

    public synchronized RequestInterceptor.Action arriving(LoggedRequest request) {
        boolean first = !struck;
        struck = true;
        if (first && fault != Fault.NONE) {
            return fault.verdict(applied);
        }
        return conditionsForgotten && request.operation() == RequestKind.BATCH
                ? new RequestInterceptor.ForgetConditions()
                : new RequestInterceptor.Proceed();
    }

    public void answered(LoggedRequest request) {
        synchronized (this) {
            requests.add(request);
        }
        answered.countDown();
    }

    /** What was answered since this was asked last. */
    public synchronized List<LoggedRequest> takeAnswered() {
        var taken = List.copyOf(requests);
        requests.clear();
        return taken;
    }

    /** Returns when the store has seen it. */
    public void awaitAnswered() {
        try {
            if (!answered.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a request of " + operation + " did not reach the store");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets a late one apply, and returns when it has. */
    public void applyLate() {
        applied.complete(true);
        awaitAnswered();
    }
}
