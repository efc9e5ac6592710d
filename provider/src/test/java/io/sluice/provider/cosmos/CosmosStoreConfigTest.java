package io.sluice.provider.cosmos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.TokenCredential;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "db.example.com",
                "ftp://db.example.com/",
                "https://user@db.example.com/",
                "https://db.example.com/path",
                "https://no_host/",
                "http://[::1/"
            })
    void an_endpoint_that_is_no_place_is_refused(String endpoint) {
        new CosmosStoreConfig("http://[::1]:8081/", "k", "d", "c");

        assertThatThrownBy(() -> new CosmosStoreConfig(endpoint, "k", "d", "c"))
                .hasMessageContaining("COSMOS_ENDPOINT")
                .hasMessageContaining(endpoint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"COSMOS_AUTH", "COSMOSDB_AUTH"})
    void a_fault_names_the_variable_that_was_set(String name) {
        assertThatThrownBy(() -> CosmosStoreConfig.fromEnvironment(Map.of(name, "password")))
                .hasMessage(name + " must be key or aad, was password");
    }

    @Test
    void the_key_is_never_shown() {
        assertThat(new CosmosStoreConfig("http://localhost/", "top-secret", "d", "c").toString())
                .doesNotContain("top-secret");
    }

    @Test
    void an_identity_is_taken_from_the_given_source_when_asked_for() {
        TokenCredential identity = request -> Mono.empty();
        var environment = Map.of(
                "COSMOS_ENDPOINT", "https://a.documents.azure.com:443/",
                "COSMOS_AUTH", "aad",
                "COSMOS_MODE", "gateway",
                "COSMOS_REGIONS", "West Europe, North Europe",
                "COSMOS_APPLICATION", "shop",
                "COSMOS_THROUGHPUT", "autoscale:4000");

        var config = CosmosStoreConfig.fromEnvironment(environment, () -> identity);

        assertThat(config.credential()).isEqualTo(Credential.of(identity));
        assertThat(config.connectivity().mode()).isEqualTo(Connectivity.Mode.GATEWAY);
        assertThat(config.connectivity().preferredRegions()).containsExactly("West Europe", "North Europe");
        assertThat(config.throughput()).isEqualTo(Throughput.autoscale(4_000));
        assertThatThrownBy(config::key).hasMessageContaining("identity");
    }

    @Test
    void without_the_identity_library_it_says_which_to_add() {
        var environment = Map.of("COSMOS_ENDPOINT", "https://a.documents.azure.com:443/", "COSMOS_AUTH", "aad");

        assertThatThrownBy(() -> CosmosStoreConfig.fromEnvironment(environment))
                .hasMessageContaining("com.azure:azure-identity");
    }

    /** Has the shape of azure-identity's. */
    public static final class CredentialBuilder {
        public TokenCredential build() {
            return request -> Mono.error(new UnsupportedOperationException());
        }
    }

    @Test
    void the_identity_library_is_found_by_name() {
        assertThat(IdentityLibrary.defaultCredential(CredentialBuilder.class.getName()))
                .isInstanceOf(TokenCredential.class);
    }

    @ParameterizedTest
    @CsvSource({
        "COSMOS_AUTH, password",
        "COSMOS_MODE, sideways",
        "COSMOS_THROUGHPUT, lots",
        "COSMOS_THROUGHPUT, manual:399",
        "COSMOS_THROUGHPUT, autoscale:1500",
        "COSMOS_APPLICATION, two words",
        "COSMOS_MODE, direct"
    })
    void a_setting_that_makes_no_sense_is_refused_with_its_value(String name, String value) {
        var environment = Map.of("COSMOS_ENDPOINT", "http://localhost:8081/", "COSMOS_KEY", "k", name, value);

        assertThatThrownBy(() -> CosmosStoreConfig.fromEnvironment(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(value.substring(value.indexOf(':') + 1));
    }
}
