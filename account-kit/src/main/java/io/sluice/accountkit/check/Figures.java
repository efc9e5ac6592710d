package io.sluice.accountkit.check;

import java.util.Locale;

/** Figures as they are told and compared. */
public final class Figures {
    private static final double SHARE = 0.2;

    private Figures() {}

    /** Request units with their unit. */
    public static String units(double charge) {
        return String.format(Locale.ROOT, "%.2f RU", charge);
    }

    /** Whether a figure is within a fifth of another, which is how close our own figures are said to be. */
    public static boolean isWithinAFifth(double measured, double expected) {
        return Math.abs(measured - expected) <= SHARE * expected;
    }
}
