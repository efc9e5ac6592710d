package io.sluice.emulator;

import io.sluice.emulator.http.RequestInterceptor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** One fault that was asked for. Thread-safe. */
public final class FaultRule {
    private final Predicate<LoggedRequest> match;
    private final int nth;
    private final RequestInterceptor.Verdict verdict;
    private final Consumer<FaultRule> remove;
    private final AtomicInteger matches = new AtomicInteger();
    private final AtomicInteger hits = new AtomicInteger();

    FaultRule(Predicate<LoggedRequest> match, int nth, RequestInterceptor.Verdict verdict, Consumer<FaultRule> remove) {
        if (nth < 0) {
            throw new IllegalArgumentException("nth must be at least 0, was " + nth);
        }
        this.match = match;
        this.nth = nth;
        this.verdict = verdict;
        this.remove = remove;
    }

    /** How many requests it has struck. */
    public int hits() {
        return hits.get();
    }

    /** Ends it. Requests it has struck already stay struck. */
    public void remove() {
        remove.accept(this);
    }

    /** Counts a request, and tells whether it is the one to strike. */
    boolean strikes(LoggedRequest request) {
        if (!match.test(request)) {
            return false;
        }
        int count = matches.incrementAndGet();
        if (nth != 0 && nth != count) {
            return false;
        }
        hits.incrementAndGet();
        return true;
    }

    RequestInterceptor.Verdict verdict() {
        return verdict;
    }
}
