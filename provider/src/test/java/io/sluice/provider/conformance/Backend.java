package io.sluice.provider.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the contract was run on. Each keeps its last recorded run in a file of its own. */
enum Backend {
    EMBEDDED,
    /** The embedded emulator, and work that is announced. */
    ANNOUNCED,
    ACCOUNT,
    DOCKER;

    /** What the tests of this process run on; the testkit decides by the same variables. */
    static Backend of(Map<String, String> environment) {
        for (String variable : new String[] {"COSMOS_ENDPOINT", "COSMOSDB_ENDPOINT"}) {
            if (!environment.getOrDefault(variable, "").isBlank()) {
                return ACCOUNT;
            }
        }
        return environment.getOrDefault("SLUICE_TEST_BACKEND", "").equalsIgnoreCase("docker") ? DOCKER : EMBEDDED;
    }

    /**
     * What a test ran on that is marked so, or not. Announced work is recorded on the embedded emulator only: what it
     * costs and in which order it comes is the provider's business, not the service's.
     */
    static Optional<Backend> of(Map<String, String> environment, boolean isAnnounced) {
        Backend backend = of(environment);
        return isAnnounced ? Optional.of(ANNOUNCED).filter(any -> backend == EMBEDDED) : Optional.of(backend);
    }

    /** What was recorded, by test name; empty when there was no run. */
    Map<String, Outcome> outcomes(Path docs) throws IOException {
        Map<String, Outcome> outcomes = new TreeMap<>();
        if (Files.exists(file(docs))) {
            for (String line : Files.readAllLines(file(docs))) {
                if (!line.startsWith("#")) {
                    String[] parts = line.split(",", 2);
                    outcomes.put(parts[0], Outcome.parse(parts[1]));
                }
            }
        }
        return outcomes;
    }

    /** When the recorded run was; "not run here" when there was none. */
    String run(Path docs) throws IOException {
        return Files.exists(file(docs)) ? Files.readAllLines(file(docs)).get(0).substring(2) : "not run here";
    }

    /** Keeps what a run of one module gave; the rest stays. */
    void record(Path docs, Map<String, Outcome> outcomes) throws IOException {
        Map<String, Outcome> all = outcomes(docs);
        all.putAll(outcomes);
        long passed = all.values().stream()
                .filter(outcome -> outcome.result().equals("passed"))
                .count();
        StringBuilder text = new StringBuilder(
                "# %s: %d of %d passed\n".formatted(LocalDate.now(ZoneOffset.UTC), passed, all.size()));
        all.forEach((test, outcome) ->
                text.append(test).append(',').append(outcome.toLine()).append('\n'));
        Files.createDirectories(file(docs).getParent());
        Files.writeString(file(docs), text);
    }

    private Path file(Path docs) {
        return docs.resolve("conformance").resolve(name().toLowerCase(Locale.ROOT) + ".csv");
    }
}
