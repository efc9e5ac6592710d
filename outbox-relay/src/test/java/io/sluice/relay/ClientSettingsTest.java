package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientSettingsTest {
    private static Map<String, String> environment(String variable, String text) {
        var environment = new HashMap<>(Map.of(
                "COSMOS_ENDPOINT",
                "http://127.0.0.1:1",
                "COSMOS_KEY",
                "a2V5",
                "KAFKA_BOOTSTRAP_SERVERS",
                "broker:9092"));
        environment.put(variable, text);
        return environment;
    }

    @Test
    void any_setting_of_kafkas_clients_is_handed_on(@TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("relay.properties"), "sluice.kafka.client.rack=zone-1\n");

        var kafka = RelayConfig.load(environment("SLUICE_KAFKA_COMPRESSION_TYPE", "zstd"), file)
                .kafka();

        assertThat(kafka.clientSettings())
                .containsEntry("compression.type", "zstd")
                .containsEntry("client.rack", "zone-1");
    }

    @Test
    void a_setting_that_is_named_like_a_variable_of_a_service_is_handed_on() {
        var kafka = RelayConfig.load(environment("SLUICE_KAFKA_SASL_KERBEROS_SERVICE_NAME", "kafka"), null)
                .kafka();

        assertThat(kafka.clientSettings()).containsEntry("sasl.kerberos.service.name", "kafka");
    }

    @Test
    void what_containers_tell_of_a_service_is_no_setting() {
        var environment = environment("SLUICE_KAFKA_PORT", "tcp://10.0.0.1:9092");
        environment.put("SLUICE_KAFKA_SERVICE_HOST", "10.0.0.1");
        environment.put("SLUICE_KAFKA_NAME", "/relay/kafka");

        assertThat(RelayConfig.load(environment, null).kafka().clientSettings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "SLUICE_KAFKA_MAX_POLL_RECORDS, many",
        "SLUICE_KAFKA_MAX_POLL_RECORDS, 0",
        "SLUICE_KAFKA_BATCH_SIZE, 99999999999",
        "SLUICE_KAFKA_COMPRESSION_TYPE, deflate"
    })
    void values_that_a_client_would_refuse_are_faults_that_show_no_value(String variable, String text) {
        assertThatThrownBy(() -> RelayConfig.load(environment(variable, text), null))
                .isInstanceOfSatisfying(
                        RelayConfigException.class,
                        e -> assertThat(e.faults())
                                .singleElement()
                                .asString()
                                .startsWith(variable)
                                .doesNotContain(text));
    }

    @ParameterizedTest
    @CsvSource({
        "SLUICE_KAFKA_ACKS, the relay sets acks itself",
        "SLUICE_KAFKA_ISOLATION_LEVEL, the relay sets isolation.level itself",
        "SLUICE_KAFKA_TRANSACTIONAL_ID, the relay sets transactional.id itself",
        "SLUICE_KAFKA_COMPRESION_TYPE, names no setting of Kafka's clients"
    })
    void what_the_relays_promises_rest_on_and_what_is_none_are_refused_by_name(String variable, String why) {
        assertThatThrownBy(() -> RelayConfig.load(environment(variable, "none"), null))
                .isInstanceOfSatisfying(
                        RelayConfigException.class,
                        e -> assertThat(e.faults())
                                .singleElement()
                                .asString()
                                .startsWith(variable)
                                .contains(why));
    }
}
