package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CosmosSourceTest {
    private static final Map<String, String> ACCOUNT =
            Map.of("COSMOS_ENDPOINT", "https://ours.example/", "COSMOS_KEY", "our-key");
    private static final Map<String, String> SPEC_ACCOUNT =
            Map.of("COSMOSDB_ENDPOINT", "https://spec.example/", "COSMOSDB_KEY", "spec-key");
    private static final Map<String, String> DOCKER = Map.of("SLUICE_TEST_BACKEND", "docker");

    @Test
    void nothing_named_is_embedded() {
        assertThat(CosmosSource.firstAvailable(Map.of())).isEqualTo(new CosmosSource.Embedded());
    }

    @Test
    void docker_is_taken_when_asked_for() {
        assertThat(CosmosSource.firstAvailable(DOCKER)).isEqualTo(new CosmosSource.Docker());
    }

    @Test
    void a_named_account_goes_before_docker() {
        assertThat(CosmosSource.firstAvailable(both(ACCOUNT, DOCKER)))
                .isEqualTo(new CosmosSource.Account("https://ours.example/", "our-key", "sluice-test"));
    }

    @Test
    void the_names_of_the_specification_are_accepted_after_ours() {
        assertThat(CosmosSource.firstAvailable(SPEC_ACCOUNT))
                .isEqualTo(new CosmosSource.Account("https://spec.example/", "spec-key", "sluice-test"));
        assertThat(CosmosSource.firstAvailable(both(SPEC_ACCOUNT, ACCOUNT)))
                .isEqualTo(new CosmosSource.Account("https://ours.example/", "our-key", "sluice-test"));
    }

    @Test
    void the_database_can_be_named() {
        assertThat(CosmosSource.firstAvailable(both(ACCOUNT, Map.of("COSMOS_DATABASE", "orders"))))
                .isEqualTo(new CosmosSource.Account("https://ours.example/", "our-key", "orders"));
    }

    @ParameterizedTest
    @CsvSource({"COSMOS_ENDPOINT, COSMOS_KEY", "COSMOS_KEY, COSMOS_ENDPOINT", "COSMOSDB_ENDPOINT, COSMOSDB_KEY"})
    void half_an_account_is_refused_with_what_is_missing(String given, String missing) {
        assertThatThrownBy(() -> CosmosSource.firstAvailable(Map.of(given, "something")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("missing: " + missing);
    }

    @Test
    void a_wrong_backend_is_refused_beside_an_account_too() {
        assertThatThrownBy(() -> CosmosSource.firstAvailable(both(ACCOUNT, Map.of("SLUICE_TEST_BACKEND", "moon"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("embedded, docker");
    }

    @Test
    void the_key_is_never_printed() {
        assertThat(CosmosSource.firstAvailable(ACCOUNT).toString())
                .contains("https://ours.example/")
                .doesNotContain("our-key");
    }

    private static Map<String, String> both(Map<String, String> some, Map<String, String> others) {
        Map<String, String> all = new HashMap<>(some);
        all.putAll(others);
        return all;
    }
}
