package io.sluice.relay.deadletter;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of a retry of several dead letters.
 *
 * @param counts number of dead letters by result; results that don't occur are left out
 * @param complete false when the run ended before it had processed all of them
 * @param lastError error of the latest one that failed, or the error that ended the run early; null without errors
 */
public record RetryResult(
        Map<Fate, Integer> counts,
        boolean complete,
        @Nullable String lastError) {

    /** The result for one dead letter. */
    public enum Fate {
        /** Its intent is delivered as if it were new. */
        RETRIED("wait for delivery"),
        /** Not retried: its source was notified of the failure. */
        ANSWERED("not retried because their sources were notified"),
        /** Not retried: its deadline has passed. */
        EXPIRED("not retried because their deadlines have passed"),
        /** The store refused the retry; another attempt may succeed. */
        FAILED("refused by the store"),
        /** Changed or removed meanwhile. */
        GONE("gone meanwhile");

        private final String words;

        Fate(String words) {
            this.words = words;
        }

        /** The name in JSON and logs. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public RetryResult {
        counts = Map.copyOf(counts);
    }

    /** The number of dead letters with this result. */
    public int count(Fate fate) {
        return counts.getOrDefault(fate, 0);
    }

    /** Whether no dead letter is left for an operator: the sources of the answered ones know of the failure. */
    public boolean isAll() {
        return complete && count(Fate.EXPIRED) == 0 && count(Fate.FAILED) == 0;
    }

    /** All counts, in words. */
    public String words() {
        return Arrays.stream(Fate.values())
                .map(fate -> count(fate) + " " + fate.words)
                .collect(Collectors.joining(", "));
    }

    /** Counts while a run is under way. */
    static final class Counter {
        private final Map<Fate, Integer> counts = new EnumMap<>(Fate.class);
        private @Nullable String lastError;

        void add(Fate fate) {
            counts.merge(fate, 1, Integer::sum);
        }

        void addFailure(String error) {
            add(Fate.FAILED);
            lastError = error;
        }

        RetryResult complete() {
            return new RetryResult(counts, true, lastError);
        }

        /** The result if the run ended early. */
        RetryResult incomplete(@Nullable String error) {
            return new RetryResult(counts, false, error == null ? lastError : error);
        }
    }
}
