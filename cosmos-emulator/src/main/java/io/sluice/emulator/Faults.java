package io.sluice.emulator;

import io.sluice.emulator.http.RequestInterceptor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Faults that a test injects. A rule counts the requests that match it from 1 and hits the n-th; with 0 it hits every
 * one. When several rules would hit a request, the oldest of them does; the others count it all the same. The predicate
 * sees the request before it has a response, with status 0. Thread-safe.
 */
public final class Faults {
    private final List<FaultRule> rules = new CopyOnWriteArrayList<>();

    Faults() {}

    /** The request is answered with a status and does not apply. */
    public FaultRule refuse(Predicate<LoggedRequest> match, int nth, int status, int subStatus) {
        return add(match, nth, new RequestInterceptor.Refuse(status, subStatus));
    }

    /** The request applies, and the connection is closed instead of an answer. */
    public FaultRule loseAnswer(Predicate<LoggedRequest> match, int nth) {
        return add(match, nth, new RequestInterceptor.LoseAnswer());
    }

    /** The request applies, and is answered with another status, as by a gateway that gave up waiting. */
    public FaultRule answerInstead(Predicate<LoggedRequest> match, int nth, int status, int subStatus) {
        return add(match, nth, new RequestInterceptor.AnswerInstead(new RequestInterceptor.Refuse(status, subStatus)));
    }

    /** The connection is closed before the request applies. */
    public FaultRule dropConnection(Predicate<LoggedRequest> match, int nth) {
        return add(match, nth, new RequestInterceptor.DropConnection());
    }

    /** The request waits before it applies, then goes on. */
    public FaultRule delay(Predicate<LoggedRequest> match, int nth, Duration delay) {
        return add(match, nth, new RequestInterceptor.Delay(delay));
    }

    /**
     * Something else happens when the request has arrived and before it applies: the split of its partition, the write
     * of another client. It runs on a thread of its own, and may call the emulator; its exception is answered with 500.
     */
    public FaultRule runBefore(Predicate<LoggedRequest> match, int nth, Consumer<LoggedRequest> work) {
        return add(match, nth, new RequestInterceptor.RunBefore(work));
    }

    /** As {@link #runBefore}, but when the request has applied and before it is answered. */
    public FaultRule runAfter(Predicate<LoggedRequest> match, int nth, Consumer<LoggedRequest> work) {
        return add(match, nth, new RequestInterceptor.RunAfter(work));
    }

    /** Ends all rules. */
    public void clear() {
        rules.clear();
    }

    RequestInterceptor.Action decide(LoggedRequest request) {
        RequestInterceptor.Action action = new RequestInterceptor.Proceed();
        boolean hit = false;
        for (var rule : rules) {
            if (rule.tryHit(request) && !hit) {
                hit = true;
                action = rule.action();
            }
        }
        return action;
    }

    private FaultRule add(Predicate<LoggedRequest> match, int nth, RequestInterceptor.Action action) {
        var rule = new FaultRule(match, nth, action, rules::remove);
        rules.add(rule);
        return rule;
    }
}
