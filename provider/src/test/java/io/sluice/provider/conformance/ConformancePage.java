package io.sluice.provider.conformance;

import io.sluice.provider.conformance.Scenarios.Scenario;
import io.sluice.provider.conformance.Scenarios.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code docs/conformance.md}: made of the contract's lists, the tests' sources and the recorded results, and of
 * nothing else.
 */
final class ConformancePage {
    /** How the page is written again; shown on it. */
    static final String COMMAND =
            "mvn test -Pthorough -pl provider,examples -am -Dtest=CosmosConformanceIT,DispatchedConformanceIT,CosmosEndToEndIT,DispatchedEndToEndIT -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.conformance.record=true";

    private static final Path ROOT = Path.of("..");
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Path PAGE = DOCS.resolve("conformance.md");
    private static final Set<String> CONTRACT_PACKAGES =
            Set.of("io.sluice.provider.contract", "io.sluice.examples.contract");

    private final List<TestSources.Found> tests;
    private final Map<Backend, Map<String, Outcome>> outcomes = new LinkedHashMap<>();
    private final InputColumns inputs;
    private final StringBuilder text = new StringBuilder();

    private ConformancePage(List<TestSources.Found> tests) throws IOException {
        this.tests = tests;
        for (Backend backend : Backend.values()) {
            outcomes.put(backend, backend.outcomes(DOCS));
        }
        inputs = new InputColumns(outcomes, OriginalInputs.read());
    }

    /** The page as it should be. */
    static String expected(List<TestSources.Found> tests) throws IOException {
        return new ConformancePage(tests).render();
    }

    static List<TestSources.Found> tests() throws IOException {
        return TestSources.under(ROOT);
    }

    /** The page as it is. */
    static String actual() throws IOException {
        return Files.exists(PAGE) ? Files.readString(PAGE) : "";
    }

    /** Keeps what a run gave. */
    static void record(Backend backend, Map<String, Outcome> outcomes) throws IOException {
        backend.record(DOCS, outcomes);
    }

    /** Writes the page. */
    static void write() throws IOException {
        Files.writeString(PAGE, expected(tests()));
    }

    /** Scenarios without a test of their name. */
    static List<Scenario> untested(List<TestSources.Found> tests) throws IOException {
        var page = new ConformancePage(tests);
        List<Scenario> all = new ArrayList<>(Scenarios.ofContract());
        all.addAll(Scenarios.additions());
        all.addAll(Scenarios.endToEnd());
        return all.stream().filter(scenario -> page.testOf(scenario).isEmpty()).toList();
    }

    /** What tests claim to cover and no list knows. */
    static List<String> unknownClaims(List<TestSources.Found> tests) throws IOException {
        List<String> known = Scenarios.statements().stream().map(Statement::key).collect(Collectors.toList());
        Scenarios.endToEnd().forEach(scenario -> known.add("e2e " + scenario.name()));
        return tests.stream()
                .flatMap(test -> test.covers().stream())
                .filter(claim -> !known.contains(claim))
                .distinct()
                .toList();
    }

    /** What a recorded run did not give though duroxide's validation does, and no reason is told for. */
    static List<String> unexplainedDeviations() throws IOException {
        return new ConformancePage(List.of()).inputs.unexplained();
    }

    private String render() throws IOException {
        line("# Conformance");
        line("");
        line(
                "Which test holds which statement of the provider contract, and how it went where. Written by tests; do not edit. To write it again:");
        line("");
        line("```");
        line(COMMAND);
        line("```");
        line(
                "`ConformancePageTest` fails when this page and the tests disagree, or when a scenario has no test. The classes are published as"
                        + " `sluice-provider` and `sluice-examples` with classifier `tests`:");
        line("another store extends them, gives them a `ContractStores`, and runs the same.");
        line("");
        line("| backend | last recorded run |");
        line("|---|---|");
        for (Backend backend : Backend.values()) {
            line("| " + title(backend) + " | " + backend.run(DOCS) + " |");
        }
        InputColumns.legend().forEach(this::line);
        scenarios("Scenarios of the contract", Scenarios.ofContract());
        line(
                "A store that waits for work runs the two short-poll scenarios with a poll timeout of zero: not allowed to wait, it must answer as fast"
                        + " as one that never waits.");
        scenarios("Beyond the contract", Scenarios.additions());
        line(
                "What the contract of duroxide does not have: starts that are unique, what a host keeps along with an instance, looking for instances"
                        + " page by page, filters of orchestrations by name and of many tags, turns of named instances, and events that are dropped"
                        + " where nothing started.");
        scenarios("End to end", Scenarios.endToEnd());
        line(
                "Played by the replay runtime in `io.sluice.examples.runtime`, waits and loads scaled down so that the suite stays short.");
        line("");
        line("The numbers in the tables below are this project's own; tests name them in `@Covers`.");
        statements("Leases of documents", "spec/002");
        statements("Races of the locking specification", "spec/003 race");
        statements("Failure modes of the locking specification", "spec/003 failure");
        statements("Faults of duroxide-cdb 0.1.10", "wire");
        return text.toString();
    }

    private void scenarios(String title, List<Scenario> scenarios) {
        line("");
        line("## " + title + " (" + scenarios.size() + ")");
        Map<String, List<Scenario>> byCategory = scenarios.stream()
                .collect(Collectors.groupingBy(Scenario::category, LinkedHashMap::new, Collectors.toList()));
        byCategory.forEach((category, ofCategory) -> {
            line("");
            line("### " + category + " (" + ofCategory.size() + ")");
            line("| scenario | test class | embedded | announced | account | Docker | inputs | duroxide's inputs |");
            line("|---|---|---|---|---|---|---|---|");
            for (Scenario scenario : ofCategory) {
                line("| " + scenario.name() + " | "
                        + testOf(scenario).map(TestSources.Found::className).orElse("none")
                        + outcomes.values().stream()
                                .map(recorded -> " | " + result(recorded.get(scenario.name())))
                                .collect(Collectors.joining())
                        + " | " + inputs.given(scenario.name()) + " | " + inputs.original(scenario.name()) + " |");
            }
        });
        line("");
    }

    private static String result(@Nullable Outcome outcome) {
        return outcome == null ? "not run here" : outcome.result();
    }

    private Optional<TestSources.Found> testOf(Scenario scenario) {
        return tests.stream()
                .filter(test -> CONTRACT_PACKAGES.contains(test.packageName())
                        && scenario.name().equals(test.method()))
                .findFirst();
    }

    private void statements(String title, String prefix) throws IOException {
        line("");
        line("## " + title);
        line("| number | what happens | tests that show it right here |");
        line("|---|---|---|");
        for (Statement statement : Scenarios.statements()) {
            if (statement.key().startsWith(prefix)) {
                line("| " + statement.key() + " | " + statement.text() + " | " + testsFor(statement.key()) + " |");
            }
        }
    }

    private String testsFor(String key) {
        Function<TestSources.Found, String> named = test -> "`" + test.label() + "` (" + test.module() + ")";
        String names = tests.stream()
                .filter(test -> test.covers().contains(key))
                .map(named)
                .collect(Collectors.joining("<br>"));
        return names.isEmpty() ? "–" : names;
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private static String title(Backend backend) {
        return switch (backend) {
            case EMBEDDED -> "embedded emulator of this project";
            case ANNOUNCED -> "the same, with work announced in place of queries for it";
            case ACCOUNT -> "an account (`COSMOS_ENDPOINT`, `COSMOS_KEY`)";
            case DOCKER -> "Microsoft's emulator in Docker (`SLUICE_TEST_BACKEND=docker`)";
        };
    }
}
