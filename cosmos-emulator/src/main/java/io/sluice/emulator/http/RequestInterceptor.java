package io.sluice.emulator.http;

import io.sluice.emulator.LoggedRequest;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Who watches the requests and may interfere with them. Thread-safe. */
public interface RequestInterceptor {
    /** What shall become of a request that has just arrived. */
    Verdict arriving(LoggedRequest request);

    /** Notes a request whose answer is about to leave, or to be lost. */
    void answered(LoggedRequest request);

    /** What becomes of a request. */
    sealed interface Verdict {}

    /** It is served. */
    record Proceed() implements Verdict {}

    /** It is answered with a status, and does not apply. */
    record Refuse(int status, int subStatus) implements Verdict {
        /** Checks the status. */
        public Refuse {
            if (status < 300 || status > 599) {
                throw new IllegalArgumentException("status must be 300 to 599, was " + status);
            }
        }
    }

    /** It applies, and its connection is closed instead of an answer. */
    record LoseAnswer() implements Verdict {}

    /** It applies, and is answered as if it had been refused. */
    record AnswerInstead(Refuse answer) implements Verdict {}

    /** Its connection is closed before it applies. */
    record DropConnection() implements Verdict {}

    /** It waits, then is served. */
    record Delay(Duration duration) implements Verdict {}

    /** Its connection is closed; it is served when told to, long after its sender gave it up. */
    record ServeLate(CompletionStage<?> told) implements Verdict {}

    /** It is served, a batch without its conditions: what a store does that must not be relied upon. For tests of tests. */
    record ForgetConditions() implements Verdict {}
}
