package io.sluice.emulator;

import io.sluice.emulator.http.RequestInterceptor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A fault, and the requests it hits. Thread-safe. */
public final class FaultRule {
    private final Predicate<LoggedRequest> match;
    private final int nth;
    private final RequestInterceptor.Action action;
    private final Consumer<FaultRule> remove;
    private final AtomicInteger matches = new AtomicInteger();
    private final AtomicInteger hits = new AtomicInteger();

    FaultRule(Predicate<LoggedRequest> match, int nth, RequestInterceptor.Action action, Consumer<FaultRule> remove) {
        if (nth < 0) {
            throw new IllegalArgumentException("nth must be at least 0, was " + nth);
        }
        this.match = match;
        this.nth = nth;
        this.action = action;
        this.remove = remove;
    }

    /** How many requests it has hit. */
    public int hits() {
        return hits.get();
    }

    /** Ends the rule. It does not undo what it did to earlier requests. */
    public void remove() {
        remove.accept(this);
    }

    /** Counts a request if it matches, and returns whether the fault hits it. */
    boolean tryHit(LoggedRequest request) {
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

    RequestInterceptor.Action action() {
        return action;
    }
}
