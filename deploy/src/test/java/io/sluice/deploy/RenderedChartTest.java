package io.sluice.deploy;

import static io.sluice.deploy.Rendering.environment;
import static io.sluice.deploy.Rendering.one;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What Helm makes of the charts, where Helm is installed. */
class RenderedChartTest {
    static Stream<Arguments> chartsWithValues() {
        return Chart.all()
                .flatMap(
                        chart -> Stream.of("plain", "everything", "scaled").map(values -> Arguments.of(chart, values)));
    }

    private static JsonNode workload(Chart chart, String values) throws Exception {
        var documents = Rendering.of(chart).documents(values);
        boolean isSet = chart.equals(Chart.RELAY) && values.equals("everything");
        return one(documents, isSet ? "StatefulSet" : "Deployment");
    }

    @ParameterizedTest
    @MethodSource("chartsWithValues")
    void helm_finds_nothing_to_complain_about(Chart chart, String values) throws Exception {
        assertThat(Rendering.of(chart).lint(values)).returns(0, Program.Run::code);
    }

    @ParameterizedTest
    @MethodSource("io.sluice.deploy.Chart#all")
    void selectors_find_the_replicas_and_not_the_job(Chart chart) throws Exception {
        Rendering.assertSelectorsFindReplicasOnly(
                Rendering.of(chart).documents("everything"), workload(chart, "everything"));
    }

    @ParameterizedTest
    @MethodSource("io.sluice.deploy.Chart#all")
    void the_alerts_are_installed_with_links_that_lead_somewhere(Chart chart) throws Exception {
        var rule = one(Rendering.of(chart).documents("everything"), "PrometheusRule");

        var installed = new ArrayList<JsonNode>();
        rule.at("/spec/groups").forEach(group -> group.path("rules").forEach(installed::add));

        assertThat(installed)
                .hasSameSizeAs(Alerts.all())
                .allSatisfy(
                        each -> assertThat(each.at("/annotations/runbook_url").asText())
                                .startsWith("https://example.org/docs/runbook.md#"));
    }

    @Test
    void a_relay_without_streams_has_nothing_to_keep() throws Exception {
        var documents = Rendering.of(Chart.RELAY).documents("plain");

        assertThat(documents)
                .extracting(document -> document.path("kind").asText())
                .containsExactlyInAnyOrder("PodDisruptionBudget", "ServiceAccount", "Service", "Deployment", "Job");
        assertThat(environment(one(documents, "Deployment")))
                .containsEntry("SLUICE_PROVISION_AT_START", "false")
                .containsEntry("SLUICE_DRAIN_TIMEOUT", "20000")
                .doesNotContainKey("SLUICE_STREAMS_STATE");
    }

    @Test
    void with_streams_each_relay_has_a_name_and_a_folder() throws Exception {
        var documents = Rendering.of(Chart.RELAY).documents("everything");
        var workload = one(documents, "StatefulSet");

        assertThat(environment(workload))
                .containsEntry("SLUICE_STREAMS_STATE", "/sluice/state")
                .containsEntry(
                        "SLUICE_STREAMS_ADVERTISED",
                        "$(POD_NAME)." + workload.at("/spec/serviceName").asText() + ".default.svc:8080")
                .containsEntry("COSMOS_AUTH", "aad")
                .doesNotContainKey("COSMOS_KEY");
        assertThat(documents.stream()
                        .filter(document ->
                                document.at("/spec/clusterIP").asText().equals("None"))
                        .map(document -> document.at("/metadata/name").asText()))
                .containsExactly(workload.at("/spec/serviceName").asText());
        assertThat(workload.at("/spec/template/metadata/labels/azure.workload.identity~1use")
                        .asText())
                .isEqualTo("true");
    }

    @Test
    void a_host_with_a_certificate_alone_asks_for_nothing_else() throws Exception {
        var documents = Rendering.of(Chart.HOST).documents("plain");

        assertThat(documents)
                .extracting(document -> document.path("kind").asText())
                .containsExactlyInAnyOrder("PodDisruptionBudget", "ServiceAccount", "Service", "Deployment", "Job");
        assertThat(environment(one(documents, "Deployment")))
                .containsEntry("SLUICE_HOST_TASK_HUBS", "durabletask")
                .containsEntry("SLUICE_HOST_TLS_CERTIFICATE", "/sluice/tls/tls.crt")
                .containsEntry("SLUICE_HOST_ALLOW_PLAINTEXT", "false")
                .doesNotContainKeys(
                        "SLUICE_HOST_TOKENS_FILE",
                        "SLUICE_HOST_TLS_CLIENT_AUTHORITIES",
                        "SLUICE_HOST_KAFKA_BOOTSTRAP_SERVERS");
        assertThat(one(documents, "Job")
                        .at("/spec/template/spec/containers/0/args/0")
                        .asText())
                .isEqualTo("provision");
    }

    /** A file that is not mounted ends the host at its start. */
    @Test
    void every_file_of_a_host_lies_in_a_volume() throws Exception {
        var workload = workload(Chart.HOST, "everything");

        var files = environment(workload).values().stream()
                .filter(value -> value.startsWith("/sluice/"))
                .toList();
        var mounts = new ArrayList<String>();
        workload.at("/spec/template/spec/containers/0/volumeMounts")
                .forEach(mount -> mounts.add(mount.path("mountPath").asText()));

        assertThat(files)
                .hasSize(4)
                .allSatisfy(file -> assertThat(mounts).contains(file.substring(0, file.lastIndexOf('/'))));
        assertThat(environment(workload))
                .containsEntry("SLUICE_HOST_TASK_HUBS", "orders,billing")
                .containsEntry("SLUICE_HOST_PREFIX", "orders,billing");
        assertThat(one(Rendering.of(Chart.HOST).documents("everything"), "Job")
                        .at("/spec/template/spec/containers/0/args")
                        .toString())
                .isEqualTo("[\"check\",\"--timeout=120\"]");
    }

    @Test
    void relays_are_as_many_as_the_events_that_wait_need_and_never_more_than_ranges() throws Exception {
        var documents = Rendering.of(Chart.RELAY).documents("scaled");
        var scaled = one(documents, "ScaledObject");

        assertScaled(scaled, one(documents, "Deployment"), 2, 4);
        assertThat(scaled.at("/spec/triggers/0/metadata/query").asText())
                .isEqualTo("sum(max by (range) (sluice_relay_history_lag_events{job=\"sluice-relay-sluice\"}) >= 0)");
        assertThat(one(
                                Rendering.of(Chart.RELAY)
                                        .documents("scaled", "--set", "keda.maxReplicas=3,keda.ranges=4"),
                                "ScaledObject")
                        .at("/spec/maxReplicaCount")
                        .asInt())
                .isEqualTo(3);
        var withStreams = Rendering.of(Chart.RELAY).documents("scaled", "--set", "streams.enabled=true");
        assertScaled(one(withStreams, "ScaledObject"), one(withStreams, "StatefulSet"), 2, 4);
    }

    @Test
    void hosts_are_as_many_as_the_work_that_waits_needs() throws Exception {
        var documents = Rendering.of(Chart.HOST).documents("scaled", "--set", "keda.authentication=prometheus");
        var scaled = one(documents, "ScaledObject");

        assertScaled(scaled, one(documents, "Deployment"), 2, 10);
        assertThat(scaled.at("/spec/triggers/0/metadata/query").asText())
                .isEqualTo("sum(max by (hub, kind) (sluice_host_waiting{job=\"sluice-durabletask-host-release\"})"
                        + " - max by (hub, kind) (sluice_host_untaken{job=\"sluice-durabletask-host-release\"}) >= 0)");
        assertThat(scaled.at("/spec/triggers/0/authenticationRef/name").asText())
                .isEqualTo("prometheus");
    }

    /** Of two that set the number of replicas each would undo what the other does: the chart leaves it to KEDA. */
    private static void assertScaled(JsonNode scaled, JsonNode workload, int min, int max) {
        assertThat(scaled.at("/spec/scaleTargetRef/kind")).isEqualTo(workload.path("kind"));
        assertThat(scaled.at("/spec/scaleTargetRef/name")).isEqualTo(workload.at("/metadata/name"));
        assertThat(scaled.at("/spec/minReplicaCount").asInt()).isEqualTo(min);
        assertThat(scaled.at("/spec/maxReplicaCount").asInt()).isEqualTo(max);
        assertThat(workload.path("spec").has("replicas")).isFalse();
        assertThat(scaled.at("/spec/triggers/0/type").asText()).isEqualTo("prometheus");
        assertThat(scaled.at("/spec/triggers/0/metadata/serverAddress").asText())
                .isEqualTo("http://prometheus.monitoring.svc:9090");
        assertThat(scaled.at("/spec/triggers/0/metadata/ignoreNullValues").asText())
                .isEqualTo("false");
        assertThat(scaled.at("/spec/triggers").size()).isOne();
    }

    @ParameterizedTest
    @MethodSource("io.sluice.deploy.Chart#all")
    void what_is_scaled_has_a_budget_for_disruptions_unless_it_may_be_one(Chart chart) throws Exception {
        var rendering = Rendering.of(chart);

        one(rendering.documents("scaled", "--set", "replicas=1"), "PodDisruptionBudget");
        assertThat(rendering.documents("scaled", "--set", "keda.minReplicas=1"))
                .noneMatch(document -> document.path("kind").asText().equals("PodDisruptionBudget"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "sluice-relay; keda.prometheus=; keda.prometheus: name the Prometheus",
                "sluice-relay; keda.ranges=0; keda.ranges: say how many physical partitions",
                "sluice-relay; keda.minReplicas=5; keda.minReplicas: must be at most keda.ranges, 4, was 5",
                "sluice-relay; keda.maxReplicas=1; keda.minReplicas: must be at most keda.maxReplicas, 1, was 2",
                "sluice-relay; keda.minReplicas=0; minReplicas",
                "sluice-relay; keda.threshold=5; threshold",
                "sluice-durabletask-host; keda.prometheus=; keda.prometheus: name the Prometheus",
                "sluice-durabletask-host; keda.prometheus=prometheus:9090; prometheus",
                "sluice-durabletask-host; keda.minReplicas=0; minReplicas",
                "sluice-durabletask-host; keda.maxReplicas=1; keda.minReplicas: must be at most keda.maxReplicas, 1, was 2",
                "sluice-durabletask-host; keda.ranges=4; ranges"
            })
    void what_can_not_be_scaled_is_refused_with_a_reason(String name, String value, String reason) throws Exception {
        var run = Rendering.of(named(name)).refused("scaled", "--set", value);

        assertThat(run.code()).isNotZero();
        assertThat(run.output()).contains(reason);
    }

    private static Chart named(String name) {
        return Chart.all().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("io.sluice.deploy.Chart#all")
    void a_workload_that_another_autoscaler_scales_is_left_to_that(Chart chart) throws Exception {
        String workload = "release-" + chart.name();
        try (var others = ClusterStub.withAutoscaler("old", "other-workload", Map.of());
                var kedas = ClusterStub.withAutoscaler(
                        "keda-hpa-" + workload, workload, Map.of("scaledobject.keda.sh/name", workload));
                var rival = ClusterStub.withAutoscaler("old", workload, Map.of())) {
            assertThat(Rendering.of(chart)
                            .template("scaled", others.arguments())
                            .code())
                    .isZero();
            assertThat(Rendering.of(chart).template("scaled", kedas.arguments()).code())
                    .isZero();
            assertThat(Rendering.of(chart).template("plain", rival.arguments()).code())
                    .isZero();

            var refused = Rendering.of(chart).refused("scaled", rival.arguments());

            assertThat(refused.code()).isNotZero();
            assertThat(refused.output())
                    .contains("keda.enabled: the HorizontalPodAutoscaler 'old' scales '" + workload + "' already");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sluice-relay, cosmos.endpoint=",
        "sluice-relay, cosmos.existingSecret=",
        "sluice-relay, kafka.bootstrapServers=",
        "sluice-relay, ops.existingSecret=",
        "sluice-relay, drainSeconds=31",
        "sluice-relay, replica=3",
        "sluice-relay, cosmos.endpoint=http://plain.example.org/",
        "sluice-relay, cosmos.auth=password",
        "sluice-relay, cosmos.key=c2VjcmV0",
        "sluice-relay, kafka.bootstrapServers=broker",
        "sluice-relay, prefix=a b",
        "sluice-relay, settings.OTHER=x",
        "sluice-relay, ops.port=80",
        "sluice-relay, image.digest=sha256:1",
        "sluice-durabletask-host, cosmos.endpoint=",
        "sluice-durabletask-host, cosmos.existingSecret=",
        "sluice-durabletask-host, tls.existingSecret=",
        "sluice-durabletask-host, taskHubs={}",
        "sluice-durabletask-host, replica=3",
        "sluice-durabletask-host, cosmos.endpoint=http://plain.example.org/",
        "sluice-durabletask-host, taskHubs=orders",
        "sluice-durabletask-host, tls.certificate=c2VjcmV0",
        "sluice-durabletask-host, allowPlaintext=yes",
        "sluice-durabletask-host, service.type=ExternalName",
        "sluice-durabletask-host, relayTimeoutSeconds=3601",
        "sluice-durabletask-host, relayTimeoutSeconds=never"
    })
    void what_can_not_work_is_refused(String name, String value) throws Exception {
        var chart =
                Chart.all().filter(each -> each.name().equals(name)).findFirst().orElseThrow();

        assertThat(Rendering.of(chart).template("plain", "--set", value).code()).isNotZero();
    }

    @Test
    void a_host_that_is_told_of_work_needs_a_prefix_for_each_task_hub() throws Exception {
        var run = Rendering.of(Chart.HOST)
                .template("plain", "--set", "kafka.bootstrapServers=broker-1:9092", "--set", "taskHubs={a,b}");

        assertThat(run.code()).isNotZero();
    }
}
