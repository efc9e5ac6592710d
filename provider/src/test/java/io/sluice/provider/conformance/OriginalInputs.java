package io.sluice.provider.conformance;

import io.sluice.provider.contract.inputs.GivenInputs;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What duroxide's own validation gives to a provider, as far as it is known: a scenario of ours is to give it too, or
 * to say why it doesn't.
 */
final class OriginalInputs {
    private final Map<String, Known> known = new LinkedHashMap<>();

    /**
     * Of one scenario.
     *
     * @param why why the scenario of this project gives something else; empty when it doesn't
     */
    record Known(GivenInputs inputs, String why) {}

    private OriginalInputs() {}

    /** By scenario. */
    static OriginalInputs read() throws IOException {
        return of(Scenarios.lines("/io/sluice/provider/conformance/original-inputs.csv")
                .toArray(String[]::new));
    }

    /** From such lines. */
    static OriginalInputs of(String... lines) {
        OriginalInputs inputs = new OriginalInputs();
        for (String line : lines) {
            inputs.add(line);
        }
        return inputs;
    }

    /** One line: the scenario's name; its inputs and why ours are others, both quoted. */
    private void add(String line) {
        String[] parts = line.split(",\"");
        String given = parts[1].substring(0, parts[1].length() - 1);
        String why = parts.length < 3 ? "" : parts[2].substring(0, parts[2].length() - 1);
        known.put(parts[0], new Known(GivenInputs.parse(given), why));
    }

    Optional<Known> of(String scenario) {
        return Optional.ofNullable(known.get(scenario));
    }

    /** By scenario, in the contract's order. */
    Map<String, Known> all() {
        return Collections.unmodifiableMap(known);
    }
}
