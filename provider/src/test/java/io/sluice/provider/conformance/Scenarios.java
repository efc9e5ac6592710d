package io.sluice.provider.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * What the contract asks for, as lists that don't know our tests: its scenarios, the end-to-end ones, and its numbered
 * statements.
 */
final class Scenarios {
    private Scenarios() {}

    /** A scenario; some test bears its name. */
    record Scenario(String category, String name) {}

    /** A numbered statement; some test says that it covers it. */
    record Statement(String key, String text) {}

    /** The contract's table of scenarios. */
    static List<Scenario> ofContract() throws IOException {
        return scenarios("/io/sluice/provider/contract/scenarios.csv");
    }

    /** What this project's stores offer beyond the contract. */
    static List<Scenario> additions() throws IOException {
        return scenarios("/io/sluice/provider/contract/additions.csv");
    }

    /** Runs of a whole runtime. */
    static List<Scenario> endToEnd() throws IOException {
        return scenarios("/io/sluice/provider/contract/end-to-end.csv");
    }

    /** Races, failure modes and known faults of the system as it was. */
    static List<Statement> statements() throws IOException {
        return lines("/io/sluice/provider/conformance/statements.csv").stream()
                .map(line -> line.split(",", 2))
                .map(parts -> new Statement(parts[0], parts[1].substring(1, parts[1].length() - 1)))
                .toList();
    }

    private static List<Scenario> scenarios(String resource) throws IOException {
        return lines(resource).stream()
                .skip(1)
                .map(line -> line.split(",", 2))
                .map(parts -> new Scenario(parts[0], parts[1]))
                .toList();
    }

    static List<String> lines(String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(Scenarios.class.getResourceAsStream(resource), resource);
                var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.isBlank()).toList();
        }
    }
}
