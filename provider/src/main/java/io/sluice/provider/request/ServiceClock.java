package io.sluice.provider.request;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service's time, so that processes agree on when a lock lapses although their machines' clocks don't. Every answer
 * carries a date of whole seconds; together with the moments of sending and receiving it confines the service's time to
 * an interval, and many of them to a narrow one. The estimate moves only when it leaves that interval, so a machine
 * whose clock is right keeps its own time to the millisecond. A date that contradicts those before counts once another
 * confirms it a second later or more; so does the first, where it is more than three seconds from this machine's clock.
 *
 * <p>Between answers time is carried on by the monotonic clock: a step of this machine's clock moves nothing.
 * Thread-safe.
 */
public final class ServiceClock implements InstantSource {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceClock.class);

    /** A date names the second that has begun. */
    private static final long RESOLUTION_MILLIS = 1_000;
    /** By which the clocks of the service's own machines may differ. */
    private static final long SLACK_MILLIS = 50;
    /** One part in this many is what a monotonic clock may gain or lose against the service. */
    private static final long DRIFT = 5_000;

    /** How long an answer that contradicts what is known waits for another that agrees with it. */
    public static final Duration CONFIRMED_AFTER = Duration.ofSeconds(1);

    /** By how much this machine's clock may differ from the first date for that to count at once. */
    private static final long BELIEVED_MILLIS = 3_000;

    private static final long STALE_MILLIS = Duration.ofMinutes(5).toMillis();
    private static final long WORTH_A_WARNING_MILLIS = 1_000;
    private static final long RIGHT_AGAIN_MILLIS = 500;

    private final InstantSource machine;
    private final LongSupplier nanoTime;

    private volatile Estimate estimate;
    private volatile @Nullable ParsedDate lastDate;
    private @Nullable Doubted doubted;
    private boolean warned;

    /** All against the monotonic clock, in milliseconds: what to add to it, and the bounds known at a moment of it. */
    private record Estimate(long offset, long low, long high, long atMillis, boolean observed) {}

    /** The bounds by an answer that contradicts what is known. */
    private record Doubted(long low, long high, long sinceMillis) {
        boolean agreesWith(long otherLow, long otherHigh) {
            return otherLow <= high + SLACK_MILLIS && otherHigh >= low - SLACK_MILLIS;
        }
    }

    private record ParsedDate(String text, long millis) {}

    /** Starts from this machine's clock. */
    public ServiceClock(InstantSource machine) {
        this(machine, System::nanoTime);
    }

    /**
     * Starts from this clock.
     *
     * @param nanoTime the monotonic clock of the same machine, by which answers are observed
     */
    public ServiceClock(InstantSource machine, LongSupplier nanoTime) {
        this.machine = machine;
        this.nanoTime = nanoTime;
        long now = monotonicMillis(nanoTime.getAsLong());
        this.estimate = new Estimate(machine.millis() - now, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2, now, false);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
        return monotonicMillis(nanoTime.getAsLong()) + estimate.offset();
    }

    /**
     * Takes note of an answer's date.
     *
     * @param date as HTTP writes it; anything else is skipped
     * @param sentNanos {@link System#nanoTime} before the request was sent
     * @param receivedNanos {@link System#nanoTime} after the answer had arrived
     */
    public void observe(String date, long sentNanos, long receivedNanos) {
        ParsedDate parsed = parsed(date);
        if (parsed == null) {
            return;
        }
        long low = parsed.millis() - monotonicMillis(receivedNanos) - SLACK_MILLIS;
        long high = parsed.millis() + RESOLUTION_MILLIS - monotonicMillis(sentNanos) + SLACK_MILLIS;
        accept(low, high, monotonicMillis(receivedNanos));
    }

    private synchronized void accept(long low, long high, long atMillis) {
        Estimate before = estimate;
        long drift = Math.max(0, atMillis - before.atMillis()) / DRIFT;
        long narrowedLow = Math.max(low, before.low() - drift);
        long narrowedHigh = Math.min(high, before.high() + drift);
        if (narrowedLow > narrowedHigh || (!before.observed() && isFar(before.offset(), low, high))) {
            if (!isConfirmed(low, high, atMillis)) {
                doubt(low, high, atMillis);
                return;
            }
            // The service's clock or ours moved, or this machine slept: what was known before counts no more.
            narrowedLow = low;
            narrowedHigh = high;
        }
        doubted = null;
        long offset = Math.max(narrowedLow, Math.min(before.offset(), narrowedHigh));
        estimate = new Estimate(offset, narrowedLow, narrowedHigh, Math.max(atMillis, before.atMillis()), true);
        warnOnChange();
    }

    private static boolean isFar(long offset, long low, long high) {
        return offset < low - BELIEVED_MILLIS || offset > high + BELIEVED_MILLIS;
    }

    /**
     * Whether an answer that contradicts what is known agrees with an earlier one that did, while none agreed with what
     * is known: one of the service's machines may be wrong, and by its date locks would seem lost that are not.
     */
    private boolean isConfirmed(long low, long high, long atMillis) {
        Doubted before = doubted;
        return before != null
                && atMillis - before.sinceMillis() >= CONFIRMED_AFTER.toMillis()
                && before.agreesWith(low, high);
    }

    private void doubt(long low, long high, long atMillis) {
        Doubted before = doubted;
        if (before == null || !before.agreesWith(low, high)) {
            doubted = new Doubted(low, high, atMillis);
        }
    }

    private void warnOnChange() {
        long off = offsetMillis();
        if (!warned && Math.abs(off) > WORTH_A_WARNING_MILLIS) {
            warned = true;
            LOG.atWarn()
                    .addKeyValue("offsetMillis", off)
                    .log(
                            "this machine's clock is {} the service's; locks go by the service's time, but correct the clock",
                            off > 0 ? "behind" : "ahead of");
        } else if (warned && Math.abs(off) < RIGHT_AGAIN_MILLIS) {
            warned = false;
            LOG.atInfo().addKeyValue("offsetMillis", off).log("this machine's clock agrees with the service's again");
        }
    }

    /**
     * The correction that turns this machine's time into the service's; a millisecond or two while both agree within
     * the precision of the estimate.
     */
    public Duration offset() {
        return Duration.ofMillis(offsetMillis());
    }

    private long offsetMillis() {
        return millis() - machine.millis();
    }

    /** Within what the service's time is known, in either direction; an hour and more before the first answer. */
    public Duration uncertainty() {
        Estimate now = estimate;
        return now.observed() ? Duration.ofMillis(now.high() - now.low()) : Duration.ofHours(1);
    }

    /**
     * Whether the last answer contradicts what is known, or is the first and far from this machine's clock, and waits
     * for another that agrees with it: {@link #CONFIRMED_AFTER} later or more. Until then it moves nothing.
     */
    public synchronized boolean isInDoubt() {
        return doubted != null;
    }

    /** Whether the last date seen is so old that another should be asked for. */
    public boolean isStale() {
        Estimate now = estimate;
        return !now.observed() || monotonicMillis(nanoTime.getAsLong()) - now.atMillis() > STALE_MILLIS;
    }

    /** Most answers of a second carry the same text. */
    private @Nullable ParsedDate parsed(String date) {
        ParsedDate last = lastDate;
        if (last != null && last.text().equals(date)) {
            return last;
        }
        try {
            long millis = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant()
                    .toEpochMilli();
            ParsedDate fresh = new ParsedDate(date, millis);
            lastDate = fresh;
            return fresh;
        } catch (DateTimeException e) {
            LOG.atDebug().addKeyValue("date", date).setCause(e).log("an answer's date can't be read");
            return null;
        }
    }

    private static long monotonicMillis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
