package io.sluice.accountkit.check.store;

import java.util.Locale;

/**
 * What operations cost.
 *
 * @param requests batches, point reads and queries
 * @param units request units
 */
record Cost(double requests, double units) {
    Cost since(Cost before) {
        return new Cost(requests - before.requests, units - before.units);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.0f requests, %.1f RU", requests, units);
    }
}
