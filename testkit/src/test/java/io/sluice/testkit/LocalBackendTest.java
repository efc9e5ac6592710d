package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LocalBackendTest {

    @Test
    void an_empty_environment_means_embedded() {
        assertThat(LocalBackend.chosenBy(Map.of())).isEqualTo(LocalBackend.EMBEDDED);
    }

    @ParameterizedTest
    @CsvSource({"embedded, EMBEDDED", "docker, DOCKER", "' Docker ', DOCKER", "'', EMBEDDED"})
    void a_known_value_is_taken_in_any_case(String value, LocalBackend expected) {
        assertThat(LocalBackend.chosenBy(Map.of("SLUICE_TEST_BACKEND", value))).isEqualTo(expected);
    }

    @Test
    void an_unknown_value_is_refused_with_the_allowed_ones() {
        assertThatThrownBy(() -> LocalBackend.chosenBy(Map.of("SLUICE_TEST_BACKEND", "podman")))
                .as("a misspelt backend must not quietly test something else")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("SLUICE_TEST_BACKEND must be one of embedded, docker or unset, was \"podman\"");
    }
}
