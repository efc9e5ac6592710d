package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What Helm makes of the chart, where Helm is installed. */
class RenderedChartTest {
    private static final Path CHART = Repository.path("deploy/helm/sluice-relay");
    private Tool helm;

    @BeforeEach
    void find() {
        var found = Tool.onPath("helm");
        assumeTrue(found.isPresent(), "no helm on the PATH: the chart is not rendered");
        helm = found.get();
    }

    private Program.Run template(String values, String... more) throws Exception {
        var args = new ArrayList<>(
                List.of("template", "relay", ".", "--kube-version", "1.31.0", "-f", "ci/" + values + ".yaml"));
        args.addAll(List.of(more));
        return helm.run(CHART, args.toArray(String[]::new));
    }

    private List<JsonNode> rendered(String values, String... more) throws Exception {
        var run = template(values, more);
        assertThat(run.code()).isZero();
        var documents = new ArrayList<JsonNode>();
        new Yaml(new SafeConstructor(new LoaderOptions()))
                .loadAll(run.output())
                .forEach(document -> documents.add(new ObjectMapper().valueToTree(document)));
        documents.removeIf(JsonNode::isNull);
        return documents;
    }

    private static JsonNode one(List<JsonNode> documents, String kind) {
        return documents.stream()
                .filter(document -> document.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind));
    }

    private static Map<String, String> environment(JsonNode workload) {
        var environment = new TreeMap<String, String>();
        workload.at("/spec/template/spec/containers/0/env")
                .forEach(each -> environment.put(
                        each.path("name").asText(),
                        Objects.requireNonNullElse(each.path("value").textValue(), "")));
        return environment;
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "everything"})
    void helm_finds_nothing_to_complain_about(String values) throws Exception {
        assertThat(helm.run(CHART, "lint", "--strict", ".", "-f", "ci/" + values + ".yaml"))
                .returns(0, Program.Run::code);
    }

    @Test
    void without_streams_there_is_nothing_to_keep() throws Exception {
        var documents = rendered("plain");

        assertThat(documents)
                .extracting(document -> document.path("kind").asText())
                .containsExactlyInAnyOrder("PodDisruptionBudget", "ServiceAccount", "Service", "Deployment", "Job");
        assertThat(environment(one(documents, "Deployment")))
                .containsEntry("SLUICE_PROVISION_AT_START", "false")
                .containsEntry("SLUICE_DRAIN_TIMEOUT", "20000")
                .doesNotContainKey("SLUICE_STREAMS_STATE");
    }

    @Test
    void with_streams_each_replica_has_a_name_and_a_folder() throws Exception {
        var documents = rendered("everything");
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

    @ParameterizedTest
    @CsvSource({"plain, Deployment", "plain, Job", "everything, StatefulSet", "everything, Job"})
    void pods_have_no_rights_and_a_file_system_they_cannot_write(String values, String kind) throws Exception {
        var pod = one(rendered(values), kind).at("/spec/template/spec");
        var container = pod.path("containers").path(0);

        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(container.at("/securityContext/capabilities/drop/0").asText())
                .isEqualTo("ALL");
        assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true))
                .isFalse();
        assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
    }

    /** The job is no part of what the service, the budget and the monitors select. */
    @Test
    void selectors_find_the_replicas_and_not_the_job() throws Exception {
        var documents = rendered("everything");
        var selector = one(documents, "StatefulSet").at("/spec/selector/matchLabels");
        var pods = one(documents, "StatefulSet").at("/spec/template/metadata/labels");
        var job = one(documents, "Job").at("/spec/template/metadata/labels");

        selector.properties()
                .forEach(each -> assertThat(pods.path(each.getKey())).isEqualTo(each.getValue()));
        assertThat(selector.properties())
                .anyMatch(each -> !job.path(each.getKey()).equals(each.getValue()));
        assertThat(one(documents, "PodMonitor").at("/spec/selector/matchLabels"))
                .isEqualTo(selector);
        assertThat(one(documents, "PodDisruptionBudget").at("/spec/selector/matchLabels"))
                .isEqualTo(selector);
    }

    @Test
    void the_alerts_are_installed_with_links_that_lead_somewhere() throws Exception {
        var rule = one(rendered("everything"), "PrometheusRule");

        var installed = new ArrayList<JsonNode>();
        rule.at("/spec/groups").forEach(group -> group.path("rules").forEach(installed::add));

        assertThat(installed)
                .hasSameSizeAs(Alerts.all())
                .allSatisfy(
                        each -> assertThat(each.at("/annotations/runbook_url").asText())
                                .startsWith("https://example.org/docs/runbook.md#"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cosmos.endpoint=",
                "cosmos.existingSecret=",
                "kafka.bootstrapServers=",
                "ops.existingSecret=",
                "drainSeconds=31",
                "replica=3"
            })
    void what_can_not_work_is_refused(String value) throws Exception {
        assertThat(template("plain", "--set", value).code()).isNotZero();
    }
}
