package io.sluice.relay.deadletter;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What became of several dead letters that were to be taken up again.
 *
 * @param counts how many met which fate; those that don't occur are left out
 * @param complete false when the run ended before it had come to all of them
 * @param lastError what the latest one that failed met, or what ended the run early; null when nothing did
 */
public record RetryResult(
        Map<Fate, Integer> counts,
        boolean complete,
        @Nullable String lastError) {

    /** What became of one. */
    public enum Fate {
        /** It is delivered as if new. */
        RETRIED("wait for delivery"),
        /** Left alone: its source was told that it failed. */
        ANSWERED("left alone because their sources were told"),
        /** Left alone: its deadline has passed. */
        EXPIRED("left alone because their deadlines have passed"),
        /** The store did not take it up again; another try may. */
        FAILED("not taken up by the store"),
        /** Changed or removed by others meanwhile. */
        GONE("gone meanwhile");

        private final String words;

        Fate(String words) {
            this.words = words;
        }

        /** What it is called in JSON and logs. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public RetryResult {
        counts = Map.copyOf(counts);
    }

    /** How many met this fate. */
    public int count(Fate fate) {
        return counts.getOrDefault(fate, 0);
    }

    /** Whether none is left that somebody has to see to: those that were answered are known to their sources. */
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

        /** Before the run had come to all of them. */
        RetryResult incomplete(@Nullable String error) {
            return new RetryResult(counts, false, error == null ? lastError : error);
        }
    }
}
