package io.sluice.relay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.program.setting.Setting;
import io.sluice.program.setting.Settings;
import io.sluice.program.setting.SettingsException;
import io.sluice.provider.cosmos.Connectivity;
import io.sluice.provider.cosmos.StoreVariable;
import io.sluice.provider.cosmos.Throughput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RelayConfigTest {
    private static final Map<String, String> ENOUGH = Map.of(
            "COSMOS_ENDPOINT", "http://127.0.0.1:8081/",
            "COSMOS_KEY", "c2VjcmV0",
            "KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:9092");

    private static Map<String, String> enoughAnd(String variable, String text) {
        var environment = new HashMap<>(ENOUGH);
        environment.put(variable, text);
        return environment;
    }

    @Test
    void what_is_not_given_has_its_default() {
        var config = RelayConfig.load(ENOUGH, null);

        assertThat(config.cosmos().database()).isEqualTo("duroxide");
        assertThat(config.kafka().prefix()).isEqualTo("sluice");
        assertThat(config.feed().shortestInterval()).isEqualTo(Duration.ofMillis(50));
        assertThat(config.operations().drainTimeout()).isEqualTo(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SLUICE_STREAMS_STATE", "SLUICE_STREAMS_AVRO_PROPERTIES"})
    void what_no_path_can_hold_is_a_fault(String variable) {
        var environment = enoughAnd(variable, "a\0b");
        environment.put("SLUICE_STREAMS_AVRO_SERIALIZER", "io.example.Serializer");

        var refused = catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(environment, null));

        assertThat(refused.faults()).singleElement().asString().contains("must be a path");
    }

    @Test
    void the_account_is_spoken_to_as_its_endpoint_suggests_or_as_is_said() {
        assertThat(RelayConfig.load(ENOUGH, null).cosmos().connectivity().mode())
                .isEqualTo(Connectivity.Mode.BY_ENDPOINT);
        assertThat(RelayConfig.load(enoughAnd("COSMOS_MODE", "Gateway"), null)
                        .cosmos()
                        .connectivity()
                        .mode())
                .isEqualTo(Connectivity.Mode.GATEWAY);

        var refused = catchThrowableOfType(
                SettingsException.class, () -> RelayConfig.load(enoughAnd("COSMOS_MODE", "sideways"), null));

        assertThat(refused.faults()).containsExactly("COSMOS_MODE must be direct or gateway, was \"sideways\"");
    }

    @Test
    void every_fault_is_reported_at_once() {
        var environment = Map.of(
                "COSMOS_ENDPOINT", "nowhere",
                "KAFKA_BOOTSTRAP_SERVERS", "broker",
                "SLUICE_PREFIX", "a b",
                "SLUICE_FEED_PAGE_SIZE", "0",
                "SLUICE_DRAIN_TIMEOUT", "soon",
                "SLUICE_PROVISION_AT_START", "perhaps");

        var refused = catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(environment, null));

        assertThat(refused.faults())
                .as("who fixes one fault should not have to start again to meet the next")
                .hasSize(7)
                .anySatisfy(
                        fault -> assertThat(fault).startsWith("COSMOS_ENDPOINT").contains("\"nowhere\""))
                .anySatisfy(fault -> assertThat(fault).startsWith("COSMOS_KEY is missing"))
                .anySatisfy(fault -> assertThat(fault).startsWith("KAFKA_BOOTSTRAP_SERVERS"))
                .anySatisfy(fault -> assertThat(fault).startsWith("SLUICE_PREFIX"))
                .anySatisfy(fault ->
                        assertThat(fault).startsWith("SLUICE_FEED_PAGE_SIZE").contains("1 to 1000 documents"))
                .anySatisfy(fault ->
                        assertThat(fault).startsWith("SLUICE_DRAIN_TIMEOUT").contains("ms"))
                .anySatisfy(fault -> assertThat(fault).startsWith("SLUICE_PROVISION_AT_START"));
    }

    @Test
    void an_identity_needs_no_key_but_its_library() {
        var environment = enoughAnd("COSMOS_AUTH", "aad");
        environment.remove("COSMOS_KEY");

        var refused = catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(environment, null));

        assertThat(refused.faults()).singleElement().asString().contains("com.azure:azure-identity");
    }

    @Test
    void scans_may_have_a_limit_of_their_own() {
        var config = RelayConfig.load(enoughAnd("SLUICE_THROUGHPUT_SCANS", "50"), null);

        assertThat(config.operations().scanLimit()).isEqualTo(50);
    }

    @Test
    void a_share_of_the_throughput_stands_alone_and_within_its_range() {
        assertThat(RelayConfig.load(enoughAnd("SLUICE_THROUGHPUT_SHARE", "0.25"), null)
                        .operations()
                        .throughputShare())
                .isEqualTo(0.25);
        var both = enoughAnd("SLUICE_THROUGHPUT_SHARE", "0.25");
        both.put("SLUICE_THROUGHPUT_LIMIT", "400");
        assertThat(catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(both, null))
                        .faults())
                .singleElement()
                .asString()
                .startsWith("SLUICE_THROUGHPUT_SHARE")
                .contains("SLUICE_THROUGHPUT_LIMIT", "0.25", "400");
        var beyond = enoughAnd("SLUICE_THROUGHPUT_SHARE", "1.5");
        assertThat(catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(beyond, null))
                        .faults())
                .singleElement()
                .asString()
                .contains("0 to 1", "\"1.5\"");
    }

    @Test
    void rests_that_contradict_each_other_are_a_fault() {
        var environment = new HashMap<>(enoughAnd("SLUICE_FEED_SHORTEST_INTERVAL", "500"));
        environment.put("SLUICE_FEED_LONGEST_INTERVAL", "100");

        var refused = catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(environment, null));

        assertThat(refused.faults()).singleElement().asString().contains("500").contains("100");
    }

    @Test
    void the_environment_wins_over_the_file(@TempDir Path folder) throws IOException {
        var file =
                Files.writeString(folder.resolve("relay.properties"), "sluice.prefix=file\nsluice.feed.page.size=7\n");

        var config = RelayConfig.load(enoughAnd("SLUICE_PREFIX", "environment"), file);

        assertThat(config.kafka().prefix()).isEqualTo("environment");
        assertThat(config.feed().pageSize()).isEqualTo(7);
    }

    @Test
    void a_mistyped_key_in_the_file_is_a_fault(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("relay.properties"), "sluice.perfix=orders\n");

        var refused = catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(ENOUGH, file));

        assertThat(refused.faults()).singleElement().asString().startsWith("sluice.perfix");
    }

    @Test
    void a_file_that_is_not_there_is_a_fault(@TempDir Path folder) {
        var refused = catchThrowableOfType(
                SettingsException.class, () -> RelayConfig.load(ENOUGH, folder.resolve("missing")));

        assertThat(refused.faults()).singleElement().asString().contains("missing");
    }

    @Test
    void the_names_of_the_specification_are_accepted_too() {
        var environment = Map.of(
                "COSMOSDB_ENDPOINT", "http://127.0.0.1:8081/",
                "COSMOSDB_KEY", "c2VjcmV0",
                "KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:9092");

        assertThat(RelayConfig.load(environment, null).cosmos().endpoint()).isEqualTo("http://127.0.0.1:8081/");
    }

    @Test
    void what_the_provider_knows_of_a_store_the_relay_does_too() {
        var environment = new HashMap<>(ENOUGH);
        environment.putAll(Map.of(
                "COSMOS_ENDPOINT", "https://account.documents.azure.com:443/",
                "COSMOS_MODE", "gateway",
                "COSMOS_REGIONS", "North Europe, West Europe",
                "COSMOSDB_APPLICATION", "orders",
                "COSMOS_THROUGHPUT", "autoscale:4000"));

        var store = RelayConfig.load(environment, null).cosmos();

        assertThat(store.connectivity())
                .isEqualTo(
                        new Connectivity(Connectivity.Mode.GATEWAY, List.of("North Europe", "West Europe"), "orders"));
        assertThat(store.throughput()).isEqualTo(Throughput.autoscale(4_000));
    }

    @Test
    void every_variable_of_a_store_is_a_setting() {
        assertThat(RelaySettings.CATALOG.all().stream().map(Setting::variable))
                .containsAll(Stream.of(StoreVariable.values())
                        .map(StoreVariable::variable)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({"COSMOS_MODE, sideways", "COSMOS_THROUGHPUT, manual:5", "COSMOS_APPLICATION, two words"})
    void what_the_provider_refuses_of_a_store_is_a_fault(String variable, String text) {
        var refused =
                catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(enoughAnd(variable, text), null));

        assertThat(refused.faults())
                .singleElement()
                .asString()
                .containsAnyOf("the store: ", "COSMOS_MODE ")
                .contains(text.replace("manual:", ""));
    }

    @Test
    void security_settings_are_handed_on_to_kafkas_clients(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("relay.properties"), "kafka.security.protocol=SASL_SSL\n");

        var config = RelayConfig.load(enoughAnd("KAFKA_SASL_MECHANISM", "PLAIN"), file);

        assertThat(config.kafka().clientSettings())
                .containsOnly(Map.entry("security.protocol", "SASL_SSL"), Map.entry("sasl.mechanism", "PLAIN"));
    }

    @Test
    void no_secret_is_ever_shown() {
        var environment = new HashMap<>(enoughAnd("COSMOS_KEY", "topsecretkey"));
        environment.put("KAFKA_SASL_JAAS_CONFIG", "password=topsecretword;");

        assertThat(RelayConfig.load(environment, null).toString())
                .doesNotContain("topsecret")
                .contains("sasl.jaas.config");
    }

    @Test
    void a_secret_in_the_wrong_setting_is_not_shown_either() {
        for (var pasted : List.of(
                "AccountEndpoint=https://a.documents.azure.com:443/;AccountKey=topsecret==;",
                "ScramLoginModule required username=\"u\" password=\"topsecret\";",
                "https://a/?sig=topsecret",
                "https://user:topsecret@a.documents.azure.com:443/",
                "user:topsecret@broker:9092")) {
            for (var variable : List.of("COSMOS_ENDPOINT", "KAFKA_BOOTSTRAP_SERVERS", "SLUICE_PREFIX")) {
                var refused = catchThrowableOfType(
                        SettingsException.class, () -> RelayConfig.load(enoughAnd(variable, pasted), null));

                assertThat(refused.faults())
                        .singleElement()
                        .asString()
                        .doesNotContain("topsecret")
                        .contains("a value with a secret");
            }
        }
    }

    @Test
    void lines_of_a_key_that_are_no_settings_are_not_shown(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("relay.properties"), """
                kafka.ssl.keystore.key=-----BEGIN PRIVATE KEY-----
                MIIEvQIBADANBgkqhkiG9w0BAQEFAASC
                -----END PRIVATE KEY-----
                sluice.prefx=orders
                """);

        var refused = catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(ENOUGH, file));

        assertThat(refused.faults())
                .contains("a name that is not shown is no setting: --help lists them")
                .contains("sluice.prefx is no setting: --help lists them");
        assertThat(refused.toString()).doesNotContain("MIIE");
    }

    @Test
    void by_default_replies_go_to_the_reply_topics_of_the_prefix_alone() {
        var kafka = new RelayConfig.Kafka("k:9092", Map.of(), "orders", new RelayConfig.Provisioning(false, 1, 1));

        assertThat(kafka.allowedReplyTopics()).containsExactly("orders.replies", "orders.replies.*");
    }

    @Test
    void every_default_is_within_its_own_range() {
        var settings = Settings.of(Map.of());

        RelaySettings.CATALOG.all().stream()
                .filter(setting -> setting.defaultText() != null)
                .forEach(settings::get);

        settings.throwIfFaulty();
    }

    @Test
    void help_names_every_setting() {
        assertThat(RelaySettings.CATALOG.table())
                .contains(RelaySettings.CATALOG.all().stream()
                        .map(Setting::variable)
                        .toList());
    }

    @Test
    void the_token_of_operators_comes_from_a_file_too_and_is_never_shown(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("token"), "token-in-a-file-0123\n");

        var config = RelayConfig.load(enoughAnd("SLUICE_OPS_TOKEN_FILE", file.toString()), null);

        assertThat(config.operations().http().token()).isEqualTo("token-in-a-file-0123");
        assertThat(config.toString()).contains("token (hidden)").doesNotContain("token-in-a-file-0123");
    }

    @Test
    void a_token_that_is_short_missing_in_its_file_or_given_twice_is_a_fault_that_does_not_show_it(@TempDir Path folder)
            throws IOException {
        var file = Files.writeString(folder.resolve("token"), "canary");
        var twice = new HashMap<>(enoughAnd("SLUICE_OPS_TOKEN", "canary-0123456789"));
        twice.put("SLUICE_OPS_TOKEN_FILE", file.toString());

        for (var environment : List.of(
                enoughAnd("SLUICE_OPS_TOKEN", "canary"),
                enoughAnd("SLUICE_OPS_TOKEN_FILE", file.toString()),
                enoughAnd("SLUICE_OPS_TOKEN_FILE", folder.resolve("none").toString()),
                twice)) {
            var refused = catchThrowableOfType(SettingsException.class, () -> RelayConfig.load(environment, null));
            assertThat(refused.faults()).singleElement().asString().startsWith("SLUICE_OPS_TOKEN");
            assertThat(refused.faults().get(0)).doesNotContain("canary");
        }
    }
}
