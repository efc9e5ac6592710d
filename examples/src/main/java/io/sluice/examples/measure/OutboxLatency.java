package io.sluice.examples.measure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * Measures the time from the commit of each intent to the creation of its target document. Either may be reported
 * first, and more than once. Thread-safe.
 */
public final class OutboxLatency {
    private static final long LONGEST_MILLIS = 3_600_000;
    private static final int DIGITS = 3;

    private final Map<String, Instant> committed = new HashMap<>();
    private final Map<String, Instant> delivered = new HashMap<>();
    private final Set<String> paired = new HashSet<>();
    private final List<Sample> samples = new ArrayList<>();

    private record Sample(Instant committedAt, long millis) {}

    /** Creates an empty record. */
    public OutboxLatency() {}

    /** An intent was committed. */
    public synchronized void committed(String key, Instant at) {
        committed.putIfAbsent(key, at);
        pair(key);
    }

    /** Its target document is there; only the first report counts. */
    public synchronized void delivered(String key, Instant at) {
        delivered.putIfAbsent(key, at);
        pair(key);
    }

    /** Every intent whose target document is there. */
    public synchronized LatencySummary summary() {
        return summary(sample -> true);
    }

    /** Those committed before a moment. */
    public synchronized LatencySummary summaryBefore(Instant moment) {
        return summary(sample -> sample.committedAt().isBefore(moment));
    }

    private LatencySummary summary(Predicate<Sample> condition) {
        Histogram histogram = new Histogram(LONGEST_MILLIS, DIGITS);
        samples.stream()
                .filter(condition)
                .forEach(sample -> histogram.recordValue(Math.min(sample.millis(), LONGEST_MILLIS)));
        return new LatencySummary(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(99),
                histogram.getMaxValue());
    }

    private void pair(String key) {
        Instant from = committed.get(key);
        Instant to = delivered.get(key);
        if (from != null && to != null && paired.add(key)) {
            samples.add(new Sample(from, Math.max(0, to.toEpochMilli() - from.toEpochMilli())));
        }
    }
}
