package io.sluice.accountkit.check.store;

import io.sluice.accountkit.check.Figures;
import java.util.Locale;

/**
 * What operations cost.
 *
 * @param requests batches, point reads and queries
 * @param units request units
 */
record Cost(double requests, double units) {
    private static final double MOST_SHARE = 1.05;

    Cost since(Cost before) {
        return new Cost(requests - before.requests, units - before.units);
    }

    /** Whether it is as expected: hardly more requests, units within a fifth. */
    boolean isLike(Cost expected) {
        return requests <= MOST_SHARE * expected.requests && Figures.isWithinAFifth(units, expected.units);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.0f requests, %.1f RU", requests, units);
    }
}
