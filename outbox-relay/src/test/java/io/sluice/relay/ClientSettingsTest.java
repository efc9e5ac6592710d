package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.program.setting.SettingsException;
import io.sluice.relay.config.RelayConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertRefused(variable, text, fault -> assertThat(fault).doesNotContain(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acks",
                "allow.auto.create.topics",
                "auto.offset.reset",
                "check.crcs",
                "delivery.timeout.ms",
                "enable.auto.commit",
                "enable.idempotence",
                "group.id",
                "group.instance.id",
                "group.protocol",
                "interceptor.classes",
                "isolation.level",
                "key.deserializer",
                "key.serializer",
                "max.block.ms",
                "max.in.flight.requests.per.connection",
                "max.request.size",
                "partition.assignment.strategy",
                "partitioner.class",
                "partitioner.ignore.keys",
                "request.timeout.ms",
                "retries",
                "session.timeout.ms",
                "transaction.timeout.ms",
                "transaction.two.phase.commit.enable",
                "transactional.id",
                "value.deserializer",
                "value.serializer"
            })
    void what_could_break_exactly_once_is_refused_from_environment_and_file(String name, @TempDir Path folder)
            throws Exception {
        String variable = "SLUICE_KAFKA_" + name.toUpperCase(Locale.ROOT).replace('.', '_');
        String key = "sluice.kafka." + name;
        Path file = Files.writeString(folder.resolve("relay.properties"), key + "=1\n");

        assertThatThrownBy(() -> RelayConfig.load(environment(variable, "1"), file))
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        e -> assertThat(e.faults())
                                .hasSize(2)
                                .allSatisfy(fault -> assertThat(fault).contains("can't be given: "))
                                .anySatisfy(fault -> assertThat(fault).startsWith(variable))
                                .anySatisfy(fault -> assertThat(fault).startsWith(key)));
    }

    @ParameterizedTest
    @CsvSource({
        "SLUICE_KAFKA_FETCH_MAX_WAIT_MS, 2500, 2501",
        "SLUICE_KAFKA_MAX_POLL_INTERVAL_MS, 60000, 59999",
        "SLUICE_KAFKA_MAX_POLL_INTERVAL_MS, 3600000, 3600001",
        "SLUICE_KAFKA_BATCH_SIZE, 1048576, 1048577"
    })
    void times_and_sizes_stay_within_what_the_relays_own_limits_need(String variable, String taken, String refused) {
        assertThat(RelayConfig.load(environment(variable, taken), null).kafka().clientSettings())
                .containsValue(taken);
        assertRefused(variable, refused, fault -> assertThat(fault).contains("must be "));
    }

    @ParameterizedTest
    @CsvSource({
        "SLUICE_KAFKA_ACKS, the program sets acks itself",
        "SLUICE_KAFKA_ISOLATION_LEVEL, the program sets isolation.level itself",
        "SLUICE_KAFKA_TRANSACTIONAL_ID, the program sets transactional.id itself",
        "SLUICE_KAFKA_COMPRESION_TYPE, names no setting of Kafka's clients"
    })
    void what_the_relays_promises_rest_on_and_what_is_none_are_refused_by_name(String variable, String why) {
        assertRefused(variable, "none", fault -> assertThat(fault).contains(why));
    }

    /** Refused with one fault, which names the variable. */
    private static void assertRefused(String variable, String text, Consumer<String> expected) {
        assertThatThrownBy(() -> RelayConfig.load(environment(variable, text), null))
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        e -> assertThat(e.faults())
                                .singleElement()
                                .satisfies(fault -> assertThat(fault).startsWith(variable))
                                .satisfies(expected));
    }
}
