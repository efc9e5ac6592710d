package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The charts, as far as their files tell without Helm. */
class HelmTest {
    private static final String CHARTS = "io.sluice.deploy.Chart#all";

    @ParameterizedTest
    @MethodSource(CHARTS)
    void the_values_and_those_a_chart_is_checked_with_are_what_the_schema_asks_for(Chart chart) {
        assertThat(chart.isValid(chart.values())).isTrue();
        for (var name : List.of("plain", "everything")) {
            assertThat(chart.isValid(Repository.yaml(chart.file("ci/" + name + ".yaml"))))
                    .as(name)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "replica, 3",
        "cosmos.endpoint, http://plain.example.org/",
        "cosmos.auth, password",
        "cosmos.key, c2VjcmV0",
        "kafka.bootstrapServers, broker",
        "prefix, a b",
        "settings.OTHER, x",
        "ops.port, 80",
        "image.digest, sha256:1",
        "streams.persistence.size, much",
        "terminationGracePeriodSeconds, 5"
    })
    void the_schema_of_the_relay_refuses_what_is_no_value(String path, String value) throws IOException {
        assertThat(Chart.RELAY.isValid(with(Chart.RELAY, path, value))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "replica, 3",
        "cosmos.endpoint, http://plain.example.org/",
        "cosmos.container, orders",
        "kafka.bootstrapServers, broker",
        "kafka.prefixes, sluice",
        "taskHubs, orders",
        "taskHubs, []",
        "tls.certificate, c2VjcmV0",
        "tls.existingSecret, a b",
        "allowPlaintext, yes",
        "service.type, ExternalName",
        "relayTimeoutSeconds, 3601",
        "terminationGracePeriodSeconds, 10"
    })
    void the_schema_of_the_host_refuses_what_is_no_value(String path, String value) throws IOException {
        assertThat(Chart.HOST.isValid(with(Chart.HOST, path, value))).isFalse();
    }

    private static JsonNode with(Chart chart, String path, String value) throws IOException {
        ObjectNode values = chart.values().deepCopy();
        var names = path.split("\\.", -1);
        var place = values;
        for (int i = 0; i < names.length - 1; i++) {
            place = (ObjectNode) place.path(names[i]);
        }
        place.set(
                names[names.length - 1],
                value.matches("\\d+|\\[]") ? new ObjectMapper().readTree(value) : place.textNode(value));
        return values;
    }

    @ParameterizedTest
    @MethodSource(CHARTS)
    void every_value_stands_in_the_README_with_its_default(Chart chart) {
        assertThat(chart.documented()).isEqualTo(chart.defaults());
    }

    @ParameterizedTest
    @MethodSource(CHARTS)
    void every_value_is_used(Chart chart) {
        assertThat(chart.defaults().keySet()).allSatisfy(name -> {
            var part = name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : name;
            assertThat(chart.templates()).containsAnyOf(".Values." + name, ".Values." + part + " ");
        });
    }

    @Test
    void every_variable_is_a_setting() {
        var variable = "- name: ((?:SLUICE|COSMOS|KAFKA)_[A-Z_]+)";
        assertThat(Chart.RELAY.found(variable))
                .contains("COSMOS_ENDPOINT", "SLUICE_STREAMS_ADVERTISED")
                .allSatisfy(each -> assertThat(Program.settings()).contains(each));
        assertThat(Chart.HOST.found(variable))
                .contains("COSMOS_ENDPOINT", "SLUICE_HOST_TASK_HUBS", "SLUICE_HOST_TLS_CERTIFICATE")
                .allSatisfy(each -> assertThat(Program.hostSettings()).contains(each));
    }

    @Test
    void every_verb_is_one_the_program_has() {
        assertThat(Chart.RELAY.found("(?:args: \\[\"|relay\\.jar )([a-z-]+)"))
                .contains("run", "status")
                .allSatisfy(verb -> assertThat(Program.relayVerbs()).contains(verb));
        assertThat(Program.run(Program.RELAY, List.of(), "check", "--help").output())
                .contains("--fix");
        assertThat(Chart.HOST.found("(?:args: \\[\"|host\\.jar )([a-z-]+)"))
                .contains("serve", "health")
                .allSatisfy(verb -> assertThat(Program.hostVerbs()).contains(verb));
        assertThat(Chart.HOST.templates()).contains("ternary \"check\" \"provision\"");
        assertThat(Program.hostVerbs()).contains("check", "provision");
    }

    @ParameterizedTest
    @CsvSource({"sluice-relay, relay, relay-1", "sluice-durabletask-host, durabletask-host, durabletask-host"})
    void it_is_the_image_of_the_Dockerfile_at_the_version_of_the_build(String name, String target, String service) {
        var chart =
                Chart.all().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        var dockerfile = Dockerfile.read();
        var image = chart.values().path("image").path("repository").asText() + ":"
                + Repository.yaml(chart.file("Chart.yaml")).path("appVersion").asText();

        assertThat(image).isEqualTo(Compose.service(service).path("image").asText());
        var user = dockerfile.instruction(target, "USER").split(":", -1)[0];
        assertThat(chart.templates()).contains("runAsUser: " + user, "runAsGroup: " + user, "fsGroup: " + user);
        assertThat(chart.values().path("javaOptions").asText())
                .isEqualTo(dockerfile.instruction("runtime", "ENV").replaceAll("JAVA_TOOL_OPTIONS=|\"", ""));
    }

    @Test
    void ports_and_folders_are_those_of_the_image() {
        var dockerfile = Dockerfile.read();

        assertThat(Chart.RELAY.values().path("ops").path("port").asText())
                .isEqualTo(dockerfile.instruction("relay", "EXPOSE"));
        assertThat(dockerfile.instruction("runtime", "RUN")).contains("/sluice/state");
        assertThat(Chart.HOST.found("containerPort: (\\d+)"))
                .containsExactly(dockerfile.instruction("durabletask-host", "EXPOSE"));
        assertThat(Chart.HOST.values().path("ops").path("port").asText())
                .isEqualTo(Program.hostDefaultOf("SLUICE_HOST_OPS_PORT"));
    }

    @Test
    void defaults_are_those_of_the_program_and_leave_time_to_drain() {
        var values = Chart.RELAY.values();
        int drain = values.path("drainSeconds").asInt();

        assertThat(String.valueOf(drain * 1000)).isEqualTo(Program.defaultOf("SLUICE_DRAIN_TIMEOUT"));
        assertThat(values.path("terminationGracePeriodSeconds").asInt()).isGreaterThanOrEqualTo(drain + 10);
        assertThat(values.path("prefix").asText()).isEqualTo(Program.defaultOf("SLUICE_PREFIX"));
        assertThat(String.valueOf(
                        values.path("streams").path("stuckAfterSeconds").asInt() * 1000))
                .isEqualTo(Program.defaultOf("SLUICE_STUCK_AFTER"));
        assertThat(String.valueOf(Duration.ofDays(values.path("streams")
                                .path("instanceRetentionDays")
                                .asInt())
                        .toMillis()))
                .isEqualTo(Program.defaultOf("SLUICE_INSTANCE_RETENTION"));
        assertThat(Chart.HOST.values().path("relayTimeoutSeconds").asText())
                .isEqualTo(Program.hostDefaultOf("SLUICE_HOST_RELAY_TIMEOUT"));
        assertThat(Repository.texts(Chart.HOST.values().path("kafka").path("prefixes")))
                .containsExactly(Program.hostDefaultOf("SLUICE_HOST_PREFIX"));
    }

    @Test
    void secrets_are_named_and_never_values() {
        Chart.all().forEach(chart -> assertThat(chart.templates()).doesNotContain("kind: Secret"));
        assertThat(Chart.RELAY.found("name: \\w*(?:KEY|TOKEN)\\n\\s*(\\w+):"))
                .hasSize(2)
                .containsOnly("valueFrom");
        assertThat(Chart.HOST.found("name: COSMOS_KEY\\n\\s*(\\w+):")).containsExactly("valueFrom");
        // What the host reads from files is mounted from secrets.
        assertThat(Set.copyOf(Chart.HOST.found("mountPath: /sluice/([a-z-]+)").toList()))
                .isEqualTo(Set.of("tls", "client-authorities", "tokens"));
    }

    @ParameterizedTest
    @MethodSource(CHARTS)
    void the_alerts_of_a_chart_are_the_alerts(Chart chart) throws IOException {
        assertThat(Repository.path(chart.file("alerts.yml")).toRealPath())
                .isEqualTo(Repository.path(Alerts.FILE).toRealPath());
    }
}
