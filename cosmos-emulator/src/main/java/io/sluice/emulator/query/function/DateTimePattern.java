package io.sluice.emulator.query.function;

import java.time.LocalDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;

/**
 * The patterns of DATETIMEFORMAT, which are those of .NET: {@code yyyy MM dd HH hh mm ss fff FFF tt} and shorter ones.
 * A backslash takes the next character as it is; every other character stands for itself.
 */
final class DateTimePattern {
    private static final String SPECIFIERS = "yMdHhmsfFt";
    private static final int HALF_DAY = 12;
    private static final int CENTURY = 100;
    private static final int MOST_FRACTION_DIGITS = 7;
    private static final int NAME_LENGTH = 4;

    private DateTimePattern() {}

    static String format(LocalDateTime at, String pattern) {
        StringBuilder text = new StringBuilder();
        int i = 0;
        while (i < pattern.length()) {
            char specifier = pattern.charAt(i);
            if (specifier == '\\' && i + 1 < pattern.length()) {
                text.append(pattern.charAt(i + 1));
                i += 2;
            } else if (SPECIFIERS.indexOf(specifier) < 0) {
                text.append(specifier);
                i++;
            } else {
                int width = 1;
                while (i + width < pattern.length() && pattern.charAt(i + width) == specifier) {
                    width++;
                }
                text.append(part(at, specifier, width));
                i += width;
            }
        }
        return text.toString();
    }

    private static String part(LocalDateTime at, char specifier, int width) {
        return switch (specifier) {
            case 'y' -> padded(width > 2 ? at.getYear() : at.getYear() % CENTURY, width);
            case 'M' ->
                width > 2
                        ? at.getMonth().getDisplayName(style(width), Locale.ENGLISH)
                        : padded(at.getMonthValue(), width);
            case 'd' ->
                width > 2
                        ? at.getDayOfWeek().getDisplayName(style(width), Locale.ENGLISH)
                        : padded(at.getDayOfMonth(), width);
            case 'H' -> padded(at.getHour(), Math.min(width, 2));
            case 'h' -> padded((at.getHour() + HALF_DAY - 1) % HALF_DAY + 1, Math.min(width, 2));
            case 'm' -> padded(at.getMinute(), Math.min(width, 2));
            case 's' -> padded(at.getSecond(), Math.min(width, 2));
            case 'f' -> fraction(at, width);
            case 'F' -> fraction(at, width).replaceAll("0+$", "");
            default -> (at.getHour() < HALF_DAY ? "AM" : "PM").substring(0, Math.min(width, 2));
        };
    }

    private static TextStyle style(int width) {
        return width < NAME_LENGTH ? TextStyle.SHORT : TextStyle.FULL;
    }

    private static String padded(int number, int width) {
        String digits = Integer.toString(number);
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    private static String fraction(LocalDateTime at, int width) {
        return padded(at.get(ChronoField.NANO_OF_SECOND) / DateTimes.NANOS_PER_TICK, MOST_FRACTION_DIGITS)
                .substring(0, Math.min(width, MOST_FRACTION_DIGITS));
    }
}
