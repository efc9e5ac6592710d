package io.sluice.relay.streams;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.client.lifecycle.OrchestrationStatistics.Quantiles;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one orchestration in one window, while the window is open.
 *
 * @param durations a compressed HdrHistogram of milliseconds with two digits, that is within 1 %
 */
@SuppressWarnings("ArrayRecordComponent") // kept as it is stored, never compared
record StatisticsAggregate(
        long started, long completed, long failed, long cancelled, long continuedAsNew, byte[] durations) {
    static final StatisticsAggregate NOTHING = new StatisticsAggregate(0, 0, 0, 0, 0, new byte[0]);

    private static final int DIGITS = 2;
    /** Ten years: a longer duration comes from a wrong clock, and a histogram needs a maximum. */
    private static final long LONGEST_MILLIS = 10L * 365 * 24 * 3_600_000;

    /** Whether a fact counts. */
    static boolean counts(Fact fact) {
        return fact instanceof Fact.Started
                || fact instanceof Fact.Completed
                || fact instanceof Fact.Failed
                || fact instanceof Fact.Cancelled
                || fact instanceof Fact.ContinuedAsNew;
    }

    StatisticsAggregate plus(LifecycleEvent event) {
        var fact = event.fact();
        if (fact instanceof Fact.Completed ended) {
            return new StatisticsAggregate(
                    started, completed + 1, failed, cancelled, continuedAsNew, with(ended.durationMillis()));
        }
        if (fact instanceof Fact.Failed ended) {
            return new StatisticsAggregate(
                    started, completed, failed + 1, cancelled, continuedAsNew, with(ended.durationMillis()));
        }
        if (fact instanceof Fact.Cancelled ended) {
            return new StatisticsAggregate(
                    started, completed, failed, cancelled + 1, continuedAsNew, with(ended.durationMillis()));
        }
        if (fact instanceof Fact.ContinuedAsNew ended) {
            return new StatisticsAggregate(
                    started, completed, failed, cancelled, continuedAsNew + 1, with(ended.durationMillis()));
        }
        return new StatisticsAggregate(started + 1, completed, failed, cancelled, continuedAsNew, durations);
    }

    OrchestrationStatistics of(String orchestration, Instant windowStart, Instant windowEnd) {
        return new OrchestrationStatistics(
                orchestration,
                windowStart,
                windowEnd,
                started,
                completed,
                failed,
                cancelled,
                continuedAsNew,
                quantiles());
    }

    private byte[] with(@Nullable Long millis) {
        if (millis == null) {
            return durations;
        }
        var histogram = histogram();
        histogram.recordValue(Math.min(millis, LONGEST_MILLIS));
        var buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }

    private @Nullable Quantiles quantiles() {
        if (durations.length == 0) {
            return null;
        }
        var histogram = histogram();
        return new Quantiles(
                histogram.getTotalCount(),
                histogram.getMean(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getMaxValue());
    }

    private Histogram histogram() {
        if (durations.length == 0) {
            var histogram = new Histogram(DIGITS);
            histogram.setAutoResize(true);
            return histogram;
        }
        try {
            var histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(durations), 0);
            histogram.setAutoResize(true);
            return histogram;
        } catch (DataFormatException e) {
            throw new IllegalStateException("the store's histogram of durations can't be read", e);
        }
    }
}
