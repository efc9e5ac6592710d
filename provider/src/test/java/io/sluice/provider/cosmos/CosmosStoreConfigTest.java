package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CosmosStoreConfigTest {
    @Test
    void both_spellings_of_the_environment_are_read_and_names_have_defaults() {
        var plain = CosmosStoreConfig.fromEnvironment(
                Map.of("COSMOS_ENDPOINT", "https://a.documents.azure.com:443/", "COSMOS_KEY", "k"));
        var prefixed = CosmosStoreConfig.fromEnvironment(
                Map.of("COSMOSDB_ENDPOINT", "https://a.documents.azure.com:443/", "COSMOSDB_KEY", "k"));

        assertThat(plain).isEqualTo(prefixed);
        assertThat(plain.database()).isEqualTo("duroxide");
        assertThat(plain.container()).isEqualTo("duroxide");
    }

    @Test
    void every_fault_is_named_at_once() {
        assertThatThrownBy(() -> CosmosStoreConfig.fromEnvironment(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("COSMOS_ENDPOINT")
                .hasMessageContaining("COSMOS_KEY");
    }

    @Test
    void plain_http_is_for_loopback_only() {
        new CosmosStoreConfig("http://127.0.0.1:8081/", "k", "d", "c");
        new CosmosStoreConfig("http://localhost:8081/", "k", "d", "c");

        assertThatThrownBy(() -> new CosmosStoreConfig("http://db.example.com/", "k", "d", "c"))
                .hasMessageContaining("loopback")
                .hasMessageContaining("http://db.example.com/");
    }

    @Test
    void the_key_is_never_shown() {
        assertThat(new CosmosStoreConfig("http://localhost/", "top-secret", "d", "c").toString())
                .doesNotContain("top-secret");
    }
}
