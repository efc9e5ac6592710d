package io.sluice.emulator.query.function;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A part of a date by the names the date functions take. */
enum DateTimePart {
    YEAR(0, List.of("year", "yyyy", "yy")),
    MONTH(0, List.of("month", "mm", "m")),
    DAY(864_000_000_000L, List.of("day", "dd", "d")),
    HOUR(36_000_000_000L, List.of("hour", "hh")),
    MINUTE(600_000_000L, List.of("minute", "mi", "n")),
    SECOND(10_000_000L, List.of("second", "ss", "s")),
    MILLISECOND(10_000L, List.of("millisecond", "ms")),
    MICROSECOND(10L, List.of("microsecond", "mcs")),
    /** Finer than a tick: worked out from ticks. */
    NANOSECOND(1L, List.of("nanosecond", "ns"));

    private static final int MONTHS_PER_YEAR = 12;
    private static final int NANOS_PER_TICK = 100;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final long ticks;

    @SuppressWarnings("ImmutableEnumChecker") // List.of cannot change.
    private final List<String> names;

    DateTimePart(long ticks, List<String> names) {
        this.ticks = ticks;
        this.names = names;
    }

    static @Nullable DateTimePart named(String name) {
        for (DateTimePart part : values()) {
            if (part.names.contains(name.toLowerCase(Locale.ROOT))) {
                return part;
            }
        }
        return null;
    }

    /** Its length in ticks of 100 ns; 0 for those whose length varies. */
    long ticks() {
        return ticks;
    }

    LocalDateTime add(LocalDateTime at, long amount) {
        return switch (this) {
            case YEAR -> at.plusYears(amount);
            case MONTH -> at.plusMonths(amount);
            case NANOSECOND -> DateTimes.ofTicks(DateTimes.ticks(at) + amount / NANOS_PER_TICK);
            case DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND ->
                DateTimes.ofTicks(Math.addExact(DateTimes.ticks(at), Math.multiplyExact(amount, ticks)));
        };
    }

    long of(LocalDateTime at) {
        return switch (this) {
            case YEAR -> at.getYear();
            case MONTH -> at.getMonthValue();
            case DAY -> at.getDayOfMonth();
            case HOUR -> at.getHour();
            case MINUTE -> at.getMinute();
            case SECOND -> at.getSecond();
            case MILLISECOND -> at.getNano() / NANOS_PER_MILLI;
            case MICROSECOND -> at.getNano() / NANOS_PER_MICRO;
            case NANOSECOND -> at.getNano();
        };
    }

    /** How many borders of this part lie before the date, from some fixed date on. */
    long borders(LocalDateTime at) {
        return switch (this) {
            case YEAR -> at.getYear();
            case MONTH -> (long) at.getYear() * MONTHS_PER_YEAR + at.getMonthValue();
            case DAY -> ChronoUnit.DAYS.between(DateTimes.ofTicks(0).toLocalDate(), at.toLocalDate());
            case NANOSECOND -> DateTimes.ticks(at) * NANOS_PER_TICK;
            case HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND -> Math.floorDiv(DateTimes.ticks(at), ticks);
        };
    }
}
