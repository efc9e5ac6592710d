package io.sluice.emulator.query.function;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Dates as the service writes them, {@code 2020-01-02T03:04:05.6789012Z}, and as ticks of 100 ns since 1970. */
final class DateTimes {
    static final long TICKS_PER_SECOND = 10_000_000;
    static final int NANOS_PER_TICK = 100;

    private static final int FRACTION_DIGITS = 7;
    private static final int LAST_YEAR = 9999;
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT);
    /** A date alone, or with a time down to seconds at least. */
    private static final Pattern TEXT =
            Pattern.compile("(\\d{4})-(\\d{2})-(\\d{2})(?:[T ](\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,7}))?)?Z?");

    private DateTimes() {}

    static String format(LocalDateTime at) {
        return FORMAT.format(at);
    }

    static boolean isInRange(LocalDateTime at) {
        return at.getYear() >= 1 && at.getYear() <= LAST_YEAR;
    }

    /** The date; null when the text is none. */
    static @Nullable LocalDateTime parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        try {
            return LocalDateTime.of(
                    number(parts, 1),
                    number(parts, 2),
                    number(parts, 3),
                    number(parts, 4),
                    number(parts, 5),
                    number(parts, 6),
                    fraction(parts.group(7)));
        } catch (DateTimeException noSuchDate) {
            return null;
        }
    }

    private static int number(Matcher parts, int group) {
        String digits = parts.group(group);
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static int fraction(@Nullable String digits) {
        if (digits == null) {
            return 0;
        }
        return Integer.parseInt(digits + "0".repeat(FRACTION_DIGITS - digits.length())) * NANOS_PER_TICK;
    }

    static long ticks(LocalDateTime at) {
        Instant instant = at.toInstant(ZoneOffset.UTC);
        return instant.getEpochSecond() * TICKS_PER_SECOND + instant.getNano() / NANOS_PER_TICK;
    }

    static LocalDateTime ofTicks(long ticks) {
        int nanos = (int) Math.floorMod(ticks, TICKS_PER_SECOND) * NANOS_PER_TICK;
        return LocalDateTime.ofEpochSecond(Math.floorDiv(ticks, TICKS_PER_SECOND), nanos, ZoneOffset.UTC);
    }

    static LocalDateTime ofMillis(long millis) {
        return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
    }
}
