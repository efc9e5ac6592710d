package io.sluice.emulator.http;

import io.sluice.emulator.LoggedRequest;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Sees every request before it is served, may inject a fault, and sees the response. Thread-safe. */
public interface RequestInterceptor {
    /** Decides what happens to a request that has just arrived. */
    Action intercept(LoggedRequest request);

    /** Receives a request with its response, which is about to be sent or lost. */
    void record(LoggedRequest request);

    /** What happens to a request. */
    sealed interface Action {}

    /** It is served. */
    record Proceed() implements Action {}

    /** It gets an error status and is not served. */
    record Refuse(int status, int subStatus) implements Action {
        /** Checks the status. */
        public Refuse {
            if (status < 300 || status > 599) {
                throw new IllegalArgumentException("status must be 300 to 599, was " + status);
            }
        }
    }

    /** It is served, and its connection is closed in place of a response. */
    record LoseAnswer() implements Action {}

    /** It is served, and gets an error status as if it had been refused. */
    record AnswerInstead(Refuse answer) implements Action {}

    /** Its connection is closed, and it is not served. */
    record DropConnection() implements Action {}

    /** Something else happens first, and then it is served. */
    record RunBefore(Consumer<LoggedRequest> work) implements Action {}

    /** It is served, and something else happens before the client gets the response. */
    record RunAfter(Consumer<LoggedRequest> work) implements Action {}

    /** It waits, and is served then. */
    record Delay(Duration duration) implements Action {}

    /** Its connection is closed at once; it is served when the signal completes, long after the client gave up. */
    record ServeLate(CompletionStage<?> signal) implements Action {}

    /**
     * It is served, but a batch loses its conditions. The service never does that: with this fault a test proves that
     * it would notice a store that ignores conditions.
     */
    record ForgetConditions() implements Action {}
}
