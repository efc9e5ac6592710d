package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Spread;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as people read them: three digits say enough, and whole numbers are shown whole. */
final class Numbers {
    private static final int DIGITS = 3;

    private Numbers() {}

    /** One number. */
    static String text(double value) {
        if (!Double.isFinite(value)) {
            return "–";
        }
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,d", (long) value);
        }
        int whole = BigDecimal.valueOf(value).precision()
                - BigDecimal.valueOf(value).scale();
        int decimals = Math.max(Math.abs(value) < 1 ? DIGITS - whole : DIGITS - Math.max(whole, 1), 0);
        var rounded = BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
        return String.format(Locale.ROOT, "%,." + decimals + "f", rounded);
    }

    /** An exact number, without noughts at its end. */
    static String exact(double value) {
        if (!Double.isFinite(value) || Math.abs(value) < 1) {
            return text(value);
        }
        var tenths = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP).stripTrailingZeros();
        return String.format(Locale.ROOT, "%,." + Math.max(tenths.scale(), 0) + "f", tenths);
    }

    /** The median and, where the runs differ, the least and the greatest in brackets. */
    static String spread(Spread measured) {
        return measured.isExact()
                ? exact(measured.median())
                : text(measured.median()) + " (" + text(measured.least()) + " – " + text(measured.greatest()) + ")";
    }

    /** The value of a parameter: whole numbers in groups of three digits. */
    static String parameter(String value) {
        return value.matches("\\d{4,18}") ? text(Double.parseDouble(value)) : value;
    }
}
