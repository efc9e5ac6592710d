package io.sluice.provider.world;

import io.sluice.provider.world.FaultPlan.AtRisk;
import java.util.List;

/**
 * What came of a world.
 *
 * @param steps in all, with those until everything was at its end
 * @param atRisk the requests that a fault could be planned for
 * @param left what the documents say in the end
 */
record Outcome(int steps, List<AtRisk> atRisk, List<String> violations, List<String> left, Trace trace) {
    private static final int SHOWN = 40;

    /** The same for one of thousands, of which nothing needs telling. */
    Outcome inShort() {
        return violations.isEmpty() ? new Outcome(steps, List.of(), List.of(), List.of(), new Trace()) : this;
    }

    /** For a failure, with what a test is to be told to play it again. */
    String describe(String again) {
        return again + " after " + steps + " steps: "
                + violations.stream().limit(5).toList()
                + "\nreplay it: mvn test -pl provider -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest=" + again
                + "\nits last steps:\n"
                + trace.end(SHOWN);
    }
}
