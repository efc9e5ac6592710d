package io.sluice.durabletask.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.durabletask.HostConfig;
import io.sluice.durabletask.dispatch.Dispatch;
import io.sluice.durabletask.dispatch.DispatchTiming;
import io.sluice.durabletask.grpc.MessageLimits;
import io.sluice.program.setting.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HostSettingsTest {
    private static final Map<String, String> STORE =
            Map.of("COSMOS_ENDPOINT", "https://a.documents.azure.com", "COSMOS_KEY", "a2V5", "COSMOS_CONTAINER", "hub");

    private static HostSettings with(String... pairs) {
        Map<String, String> environment = new HashMap<>(STORE);
        for (int i = 0; i < pairs.length; i += 2) {
            environment.put(pairs[i], pairs[i + 1]);
        }
        return HostSettings.of(environment, null);
    }

    private static AnnouncedWork announced(String... pairs) {
        return Objects.requireNonNull(with(pairs).announced());
    }

    @Test
    void a_store_is_all_that_must_be_said() {
        HostSettings settings = with();

        assertThat(settings.host().address()).isEqualTo("127.0.0.1");
        assertThat(settings.host().port()).isEqualTo(4001);
        assertThat(settings.stores()).extracting(HostSettings::hubName).containsExactly("hub");
        assertThat(settings.host().tokens()).isNull();
        assertThat(settings.host().hub().dispatchers()).isEqualTo(Dispatch.Dispatchers.USUAL);
        assertThat(settings.relayWait()).isEqualTo(new RelayWait(true, Duration.ofSeconds(30)));
    }

    @Test
    void each_named_task_hub_is_a_container() {
        assertThat(with("SLUICE_HOST_TASK_HUBS", "orders, billing").stores())
                .extracting(HostSettings::hubName)
                .containsExactly("orders", "billing");
    }

    @Test
    void locks_are_renewed_every_third_of_their_time() {
        assertThat(with().host().hub().timing()).isEqualTo(DispatchTiming.USUAL);

        DispatchTiming timing =
                with("SLUICE_HOST_LOCK_TIMEOUT", "9").host().hub().timing();

        assertThat(timing.lock()).isEqualTo(Duration.ofSeconds(9));
        assertThat(timing.renewal()).isEqualTo(Duration.ofSeconds(3));
        assertThatThrownBy(() -> with("SLUICE_HOST_LOCK_TIMEOUT", "2"))
                .hasMessageContaining("SLUICE_HOST_LOCK_TIMEOUT must be 3 to 3600 s, was \"2\"");
    }

    @Test
    void clients_messages_are_small_answers_larger_and_their_sum_has_a_limit() {
        assertThat(with().host().messages()).isEqualTo(MessageLimits.USUAL);
        assertThat(MessageLimits.USUAL.requestBytes()).isEqualTo(8 << 20);
        assertThat(MessageLimits.USUAL.answerBytes()).isEqualTo(64 << 20);

        HostConfig host = with(
                        "SLUICE_HOST_MAX_MESSAGE_BYTES", "2000000",
                        "SLUICE_HOST_MAX_ANSWER_BYTES", "3000000",
                        "SLUICE_HOST_MESSAGES_TOTAL_BYTES", "4000000")
                .host();

        assertThat(host.messages())
                .isEqualTo(new MessageLimits(2_000_000, 3_000_000, 4_000_000, Duration.ofSeconds(30)));
        assertThat(host.hub().limits().answerBytes()).isEqualTo(3_000_000);
        assertThatThrownBy(() -> with("SLUICE_HOST_MESSAGES_TOTAL_BYTES", "60000000"))
                .hasMessageContaining("SLUICE_HOST_MESSAGES_TOTAL_BYTES must be 0 or at least the largest message,"
                        + " 67108864, was 60000000");
    }

    @Test
    void every_fault_is_named_at_once() {
        assertThatThrownBy(() -> HostSettings.of(
                        Map.of(
                                "SLUICE_HOST_PORT", "many",
                                "SLUICE_HOST_START_REPLACES_ENDED", "yes",
                                "SLUICE_HOST_TURN_DISPATCHERS", "0"),
                        null))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("COSMOS_ENDPOINT")
                .hasMessageContaining("SLUICE_HOST_PORT must be a whole number, 0 to 65535")
                .hasMessageContaining("SLUICE_HOST_START_REPLACES_ENDED must be true or false, was \"yes\"")
                .hasMessageContaining("SLUICE_HOST_TURN_DISPATCHERS must be 1 to 64 dispatchers, was \"0\"");
    }

    @Test
    void other_machines_are_not_served_in_plain_text_unless_that_is_said() {
        assertThatThrownBy(() -> with("SLUICE_HOST_ADDRESS", "0.0.0.0"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("SLUICE_HOST_TLS_CERTIFICATE")
                .hasMessageContaining("SLUICE_HOST_ALLOW_PLAINTEXT");

        assertThat(with("SLUICE_HOST_ADDRESS", "0.0.0.0", "SLUICE_HOST_ALLOW_PLAINTEXT", "true")
                        .host()
                        .address())
                .isEqualTo("0.0.0.0");
    }

    @Test
    void certificate_and_key_go_together(@TempDir Path folder) throws IOException {
        Path certificate = Files.createFile(folder.resolve("tls.crt"));

        assertThatThrownBy(() -> with("SLUICE_HOST_TLS_CERTIFICATE", certificate.toString()))
                .hasMessageContaining("go together");
        assertThatThrownBy(() -> with("SLUICE_HOST_TLS_CLIENT_AUTHORITIES", certificate.toString()))
                .hasMessageContaining("needs SLUICE_HOST_TLS_CERTIFICATE");
        assertThatThrownBy(
                        () -> with("SLUICE_HOST_TLS_KEY", folder.resolve("none").toString()))
                .hasMessageContaining("must be a file that can be read");
    }

    @Test
    void keys_issuer_and_audience_go_together(@TempDir Path folder) throws IOException {
        Path keys = Files.writeString(folder.resolve("keys.json"), "{\"keys\": []}");

        assertThat(with(
                                "SLUICE_HOST_JWKS", keys.toString(),
                                "SLUICE_HOST_JWT_ISSUER", "https://login.example.org",
                                "SLUICE_HOST_JWT_AUDIENCE", "api://orders")
                        .host()
                        .tokens())
                .isNotNull();
        assertThatThrownBy(() -> with("SLUICE_HOST_JWKS", keys.toString()))
                .hasMessageContaining("SLUICE_HOST_JWT_ISSUER and SLUICE_HOST_JWKS go together")
                .hasMessageContaining("SLUICE_HOST_JWT_AUDIENCE and SLUICE_HOST_JWKS go together");
        assertThatThrownBy(() -> with("SLUICE_HOST_JWT_AUDIENCE", "api://orders"))
                .hasMessageContaining("SLUICE_HOST_JWT_AUDIENCE and SLUICE_HOST_JWKS go together");
    }

    @Test
    void tokens_are_read_from_their_file(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("tokens.json");
        Files.writeString(file, "[{\"token\": \"0123456789abcdef\", \"rights\": [\"client\"]}]");
        assertThat(with("SLUICE_HOST_TOKENS_FILE", file.toString()).host().tokens())
                .isNotNull();

        Files.writeString(file, "[{}]");
        assertThatThrownBy(() -> with("SLUICE_HOST_TOKENS_FILE", file.toString()))
                .hasMessageContaining("SLUICE_HOST_TOKENS_FILE")
                .hasMessageContaining("tokens[0].token");
    }

    @Test
    void work_is_searched_for_unless_a_kafka_is_named() {
        assertThat(with().announced()).isNull();

        AnnouncedWork announced = announced(
                "SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS", "broker-1:9092",
                "SLUICE_HOST_KAFKA_SECURITY_PROTOCOL", "SASL_SSL",
                "SLUICE_HOST_KAFKA_SASL_JAAS_CONFIG", "the secret",
                "SLUICE_HOST_OWN_WORK_AFTER", "250");

        assertThat(announced.clientProperties())
                .containsOnly(
                        Map.entry("bootstrap.servers", "broker-1:9092"),
                        Map.entry("security.protocol", "SASL_SSL"),
                        Map.entry("sasl.jaas.config", "the secret"));
        assertThat(announced.prefixes()).containsExactly("sluice");
        assertThat(announced.ownWorkAfter()).isEqualTo(Duration.ofMillis(250));
        assertThat(announced.toString()).doesNotContain("secret");
    }

    @Test
    void each_task_hub_has_a_relay_of_its_own() {
        AnnouncedWork announced = announced(
                "SLUICE_HOST_TASK_HUBS", "orders, billing",
                "SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS", "broker-1:9092",
                "SLUICE_HOST_PREFIX", "sluice-orders, sluice-billing");

        assertThat(announced.prefixes()).containsExactly("sluice-orders", "sluice-billing");
        assertThatThrownBy(() -> with(
                        "SLUICE_HOST_TASK_HUBS", "orders, billing",
                        "SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS", "broker-1:9092"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("SLUICE_HOST_PREFIX must be another prefix for each of the 2 task hubs");
    }

    @Test
    void settings_that_kafkas_consumers_do_not_have_are_faults() {
        assertThatThrownBy(
                        () -> with("SLUICE_HOST_KAFKA_SECURITY_PROTOCOLL", "SSL", "SLUICE_HOST_KAFKA_CLIENT_ID", "a"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(
                        "SLUICE_HOST_KAFKA_SECURITY_PROTOCOLL names no setting of Kafka's clients: security.protocoll")
                .hasMessageContaining("SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS is needed");
    }

    @Test
    void settings_of_kafkas_consumers_that_the_host_sets_itself_are_faults() {
        assertThatThrownBy(() -> with(
                        "SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS", "broker-1:9092",
                        "SLUICE_HOST_KAFKA_AUTO_OFFSET_RESET", "earliest",
                        "SLUICE_HOST_KAFKA_SESSION_TIMEOUT_MS", "45000"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(
                        "SLUICE_HOST_KAFKA_AUTO_OFFSET_RESET can't be given: the program sets auto.offset.reset itself")
                .hasMessageContaining("SLUICE_HOST_KAFKA_SESSION_TIMEOUT_MS can't be given");
    }

    @Test
    void the_former_name_of_the_operators_address_is_refused_with_the_one_of_now() {
        assertThatThrownBy(() -> with("SLUICE_HOST_OPS_ADDRESS", "127.0.0.1"))
                .hasMessage("SLUICE_HOST_OPS_ADDRESS is called SLUICE_HOST_OPS_HOST now");
    }

    @Test
    void a_misspelled_variable_is_a_fault_with_the_nearest_name() {
        assertThatThrownBy(() -> with("SLUICE_HOST_PROT", "1", "SLUICE_PREFIX", "a relay's"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("SLUICE_HOST_PROT is no setting; the nearest is SLUICE_HOST_PORT");
    }

    @Test
    void a_file_has_settings_by_their_keys_and_the_environment_wins(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("host.properties"), "sluice.host.port=1234\nsluice.host.call.threads=7\n");
        Map<String, String> environment = new HashMap<>(STORE);
        environment.put("SLUICE_HOST_PORT", "4321");

        HostConfig host = HostSettings.of(environment, file).host();

        assertThat(host.port()).isEqualTo(4321);
        assertThat(host.callThreads()).isEqualTo(7);
        Files.writeString(file, "sluice.host.call.threads=many\n");
        assertThatThrownBy(() -> HostSettings.of(environment, file))
                .hasMessage("sluice.host.call.threads must be a whole number, 1 to 1000 threads, was \"many\"");
    }
}
