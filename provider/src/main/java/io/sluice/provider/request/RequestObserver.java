package io.sluice.provider.request;

import com.azure.cosmos.CosmosDiagnostics;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every request before it is sent and once it has ended, on the thread that made it. Must be quick, and must
 * not throw.
 */
@FunctionalInterface
public interface RequestObserver {
    /** Hears nothing. */
    RequestObserver NONE = ended -> {};

    /** A request is about to be sent. */
    default void sending(Call call, Way way) {}

    /** A request has ended. */
    void ended(Ended request);

    /** Both, this one first. */
    default RequestObserver and(RequestObserver other) {
        RequestObserver first = this;
        return new RequestObserver() {
            @Override
            public void sending(Call call, Way way) {
                first.sending(call, way);
                other.sending(call, way);
            }

            @Override
            public void ended(Ended request) {
                first.ended(request);
                other.ended(request);
            }
        };
    }

    /**
     * A request that has ended: one batch, one point read, or pages of one query, up to the last or to the one that
     * failed.
     *
     * @param requests how many were sent: a query counts its pages
     * @param requestUnits what they cost
     * @param sentNanos before it was sent, on the monotonic clock
     * @param endedNanos after the answer had arrived, or the wait for it was given up
     * @param headers of the (last) answer; empty when there was none
     */
    record Ended(
            Call call,
            Kind kind,
            int requests,
            double requestUnits,
            long sentNanos,
            long endedNanos,
            Map<String, String> headers,
            @Nullable CosmosDiagnostics diagnostics) {
        /** How long the caller waited for it. */
        public long nanos() {
            return endedNanos - sentNanos;
        }
    }

    /** How a request is sent. */
    enum Way {
        /** Its maker waits for the answer, and the store changes. */
        WRITE,
        /** Its maker waits for the answer. */
        READ,
        /** A read whose maker goes on, and asks for the answer later. */
        READ_BESIDE
    }

    /** How a request ended, in the words of {@link WriteOutcome}. */
    enum Kind {
        /** Applied, or read. */
        OK,
        /** 409. */
        CONFLICT,
        /** 412. */
        PRECONDITION_FAILED,
        /** 404. */
        NOT_FOUND,
        /** 429. */
        THROTTLED,
        /** Refused for a reason that passes. */
        TRANSIENT,
        /** No answer. */
        AMBIGUOUS,
        /** Refused permanently. */
        REJECTED;

        static Kind of(WriteOutcome outcome) {
            return outcome.match(committed -> OK, Kind::ofRefused, ambiguous -> AMBIGUOUS, Kind::ofFailed);
        }

        private static Kind ofRefused(WriteOutcome.Refused refused) {
            return switch (refused.refusal()) {
                case CONFLICT -> CONFLICT;
                case PRECONDITION_FAILED -> PRECONDITION_FAILED;
                case NOT_FOUND -> NOT_FOUND;
            };
        }

        private static Kind ofFailed(WriteOutcome.Failed failed) {
            if (failed instanceof WriteOutcome.Throttled) {
                return THROTTLED;
            }
            return failed instanceof WriteOutcome.Transient ? TRANSIENT : REJECTED;
        }
    }
}
