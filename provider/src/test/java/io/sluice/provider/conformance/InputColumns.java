package io.sluice.provider.conformance;

import io.sluice.provider.contract.inputs.GivenInputs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The page's columns of what a scenario gives to its provider, here and in duroxide's validation. */
final class InputColumns {
    private static final String NOTHING = "–";

    private final Map<Backend, Map<String, Outcome>> outcomes;
    private final OriginalInputs originals;

    /** Of these recorded runs. */
    InputColumns(Map<Backend, Map<String, Outcome>> outcomes, OriginalInputs originals) {
        this.outcomes = outcomes;
        this.originals = originals;
    }

    /** What the columns mean, for above the tables. */
    static List<String> legend() {
        return List.of(
                "",
                "*Inputs* are the distinct times, filters and limits that a scenario gave to its provider, as it ran: `lock 5 s/30 s` are two locks, `session` is the lock of a session,"
                        + " `clock: moved` how far it moved the store's time, for which duroxide waits. Filters, sessions and limits are named where some call had one. Where a runtime works, what depends on its pace"
                        + " (renewals, clean-ups, activities given back) is left out.",
                "*duroxide's inputs* are what the validation of duroxide 0.1.32 is known to give. What it gives and the scenario here does not stands behind it in bold, with the reason; `ConformancePageTest`"
                        + " fails where there is none. The lock timeout that both take from their stores is 5 s.");
    }

    /** Once, where all backends that ran the scenario were given the same. */
    String given(String scenario) {
        Map<String, String> backends = new LinkedHashMap<>();
        outcomes.forEach((backend, run) -> ran(run, scenario)
                .ifPresent(outcome -> backends.merge(
                        text(outcome.inputs()),
                        backend.name().toLowerCase(Locale.ROOT),
                        (one, other) -> one + ", " + other)));
        if (backends.isEmpty()) {
            return NOTHING;
        }
        return backends.size() == 1
                ? backends.keySet().iterator().next()
                : backends.entrySet().stream()
                        .map(entry -> "*" + entry.getValue() + "* " + entry.getKey())
                        .collect(Collectors.joining("<br>"));
    }

    /** With what is not given here, and why. */
    String original(String scenario) {
        return originals
                .of(scenario)
                .map(known -> {
                    String missing = missing(scenario, known).toString();
                    return text(known.inputs())
                            + (missing.isEmpty() ? "" : "<br>**not here: " + missing + "** " + known.why());
                })
                .orElse(NOTHING);
    }

    /** Scenarios that deviate for no reason, and reasons that no scenario needs. */
    List<String> unexplained() {
        List<String> unexplained = new ArrayList<>();
        originals.all().forEach((scenario, known) -> {
            String missing = missing(scenario, known).toString();
            if (missing.isEmpty() != known.why().isEmpty()) {
                unexplained.add(
                        scenario + ": " + (missing.isEmpty() ? "nothing is missing, but there is a reason" : missing));
            }
        });
        return unexplained;
    }

    /** What some run did not give; all of it where none is recorded. */
    private GivenInputs missing(String scenario, OriginalInputs.Known known) {
        GivenInputs missing = new GivenInputs();
        List<Outcome> runs = outcomes.values().stream()
                .flatMap(run -> ran(run, scenario).stream())
                .toList();
        runs.forEach(outcome -> missing.add(known.inputs().without(outcome.inputs())));
        return runs.isEmpty() ? known.inputs() : missing;
    }

    private static Optional<Outcome> ran(Map<String, Outcome> run, String scenario) {
        return Optional.ofNullable(run.get(scenario))
                .filter(outcome -> !outcome.result().equals("skipped"));
    }

    private static String text(GivenInputs inputs) {
        String text = inputs.toString();
        return text.isEmpty() ? NOTHING : text;
    }
}
