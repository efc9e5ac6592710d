package io.sluice.provider.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConformancePageTest {
    private static List<TestSources.Found> tests;

    @BeforeAll
    static void read() throws IOException {
        tests = ConformancePage.tests();
    }

    @Test
    void every_scenario_has_a_test_of_its_name() throws IOException {
        assertThat(ConformancePage.untested(tests)).isEmpty();
    }

    @Test
    void tests_cover_only_what_is_listed() throws IOException {
        assertThat(ConformancePage.unknownClaims(tests))
                .as("statements named by @Covers that statements.csv and end-to-end.csv don't have")
                .isEmpty();
    }

    @Test
    void inputs_of_duroxides_validation_are_given_here_too() throws IOException {
        assumeFalse(Boolean.getBoolean("sluice.conformance.record"), "this run writes the page");

        assertThat(ConformancePage.unexplainedDeviations())
                .as("inputs that original-inputs.csv has, no recorded run gave, and no reason is told for")
                .isEmpty();
    }

    @Test
    void the_page_is_up_to_date() throws IOException {
        assumeFalse(Boolean.getBoolean("sluice.conformance.record"), "this run writes the page");

        assertThat(ConformancePage.actual())
                .as("docs/conformance.md is written by: %s", ConformancePage.COMMAND)
                .isEqualTo(ConformancePage.expected(tests));
    }
}
