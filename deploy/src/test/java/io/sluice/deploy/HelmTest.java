package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The charts name settings, verbs, ports and images that there are; what Helm says of them is in {@link
 * RenderedChartTest}.
 */
class HelmTest {
    private static final String CHARTS = "io.sluice.deploy.Chart#all";

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
                .contains("--fix", "--timeout");
        assertThat(Chart.HOST.found("(?:args: \\[\"|host\\.jar )([a-z-]+)"))
                .contains("serve", "health")
                .allSatisfy(verb -> assertThat(Program.hostVerbs()).contains(verb));
        assertThat(Program.run(Program.DURABLETASK_HOST, List.of(), "check", "--help")
                        .output())
                .contains("--timeout");
        assertThat(List.of(Chart.RELAY, Chart.HOST))
                .as("a slow store is not refused")
                .allSatisfy(chart -> assertThat(chart.templates()).contains("\"--timeout=120\"{{ end }}]"));
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

    /** Whose metrics, labels and values are held to what is exported by {@link ExportedMetricsIT}. */
    @ParameterizedTest
    @MethodSource(CHARTS)
    void what_replicas_are_scaled_by_is_a_metric_of_the_dashboard(Chart chart) {
        var shown = Dashboard.panelQueries().stream()
                .flatMap(query -> query.metrics().stream())
                .toList();

        assertThat(chart.found("(sluice_[a-z_]+)\\{job=%q"))
                .isNotEmpty()
                .allSatisfy(metric -> assertThat(shown).contains(metric));
    }

    @ParameterizedTest
    @MethodSource(CHARTS)
    void nothing_is_scaled_unless_that_is_wanted(Chart chart) {
        assertThat(chart.values().at("/keda/enabled").isBoolean()).isTrue();
        assertThat(chart.values().at("/keda/enabled").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @MethodSource(CHARTS)
    void the_alerts_of_a_chart_are_the_alerts(Chart chart) throws IOException {
        assertThat(Repository.path(chart.file("alerts.yml")).toRealPath())
                .isEqualTo(Repository.path(Alerts.FILE).toRealPath());
    }
}
