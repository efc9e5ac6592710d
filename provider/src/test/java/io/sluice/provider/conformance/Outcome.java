package io.sluice.provider.conformance;

import io.sluice.provider.contract.inputs.GivenInputs;
import java.util.List;

/**
 * How a scenario went, and what it gave to its provider.
 *
 * @param result passed, skipped or failed
 */
record Outcome(String result, GivenInputs inputs) {
    private static final List<String> BEST_FIRST = List.of("passed", "skipped", "failed");

    /** Of the same scenario run again, as with other parameters: the worse result, and the inputs of both. */
    Outcome and(Outcome other) {
        GivenInputs both = new GivenInputs();
        both.add(inputs);
        both.add(other.inputs);
        boolean isWorse = BEST_FIRST.indexOf(other.result) > BEST_FIRST.indexOf(result);
        return new Outcome(isWorse ? other.result : result, both);
    }

    /** What {@link #toLine} wrote behind the scenario's name. */
    static Outcome parse(String text) {
        String[] parts = text.split(",", 2);
        String inputs = parts.length < 2 ? "" : parts[1].substring(1, parts[1].length() - 1);
        return new Outcome(parts[0], GivenInputs.parse(inputs));
    }

    String toLine() {
        return result + ",\"" + inputs + "\"";
    }
}
