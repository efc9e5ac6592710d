package io.sluice.accountkit.report;

import java.util.function.UnaryOperator;

/**
 * A row of the table.
 *
 * @param name of the assumption
 * @param expected what is assumed
 * @param source where the assumption comes from
 * @param outcome what came of it
 */
public record Finding(String name, String expected, String source, Outcome outcome) {
    /** The same with another text of what was measured. */
    Finding withDetail(UnaryOperator<String> change) {
        return new Finding(name, expected, source, outcome.withDetail(change.apply(outcome.detail())));
    }
}
