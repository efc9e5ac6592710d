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
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A chart as Helm renders it, with the values that lie in its folder {@code ci}. */
record Rendering(Tool helm, Path folder) {
    /** Skips the test where Helm is not installed. */
    static Rendering of(Chart chart) {
        var found = Tool.onPath("helm");
        assumeTrue(found.isPresent(), "no helm on the PATH: the chart is not rendered");
        return new Rendering(found.get(), Repository.path(chart.file("")));
    }

    Program.Run lint(String values) throws Exception {
        return helm.run(folder, "lint", "--strict", ".", "-f", "ci/" + values + ".yaml");
    }

    Program.Run template(String values, String... more) throws Exception {
        var args = new ArrayList<>(
                List.of("template", "release", ".", "--kube-version", "1.31.0", "-f", "ci/" + values + ".yaml"));
        args.addAll(List.of(more));
        return helm.run(folder, args.toArray(String[]::new));
    }

    /** As {@link #template}, with what Helm complains about as its output. */
    Program.Run refused(String values, String... more) throws Exception {
        var args = new ArrayList<>(
                List.of("template", "release", ".", "--kube-version", "1.31.0", "-f", "ci/" + values + ".yaml"));
        args.addAll(List.of(more));
        return helm.complaint(folder, args.toArray(String[]::new));
    }

    List<JsonNode> documents(String values, String... more) throws Exception {
        var run = template(values, more);
        assertThat(run.code()).isZero();
        var documents = new ArrayList<JsonNode>();
        new Yaml(new SafeConstructor(new LoaderOptions()))
                .loadAll(run.output())
                .forEach(document -> documents.add(new ObjectMapper().valueToTree(document)));
        documents.removeIf(JsonNode::isNull);
        return documents;
    }

    static JsonNode one(List<JsonNode> documents, String kind) {
        return documents.stream()
                .filter(document -> document.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind));
    }

    static Map<String, String> environment(JsonNode workload) {
        var environment = new TreeMap<String, String>();
        workload.at("/spec/template/spec/containers/0/env")
                .forEach(each -> environment.put(
                        each.path("name").asText(),
                        Objects.requireNonNullElse(each.path("value").textValue(), "")));
        return environment;
    }

    /** The job is no part of what the service, the budget and the monitors select. */
    static void assertSelectorsFindReplicasOnly(List<JsonNode> documents, JsonNode workload) {
        var selector = workload.at("/spec/selector/matchLabels");
        var pods = workload.at("/spec/template/metadata/labels");
        var job = one(documents, "Job").at("/spec/template/metadata/labels");
        selector.properties()
                .forEach(each -> assertThat(pods.path(each.getKey())).isEqualTo(each.getValue()));
        assertThat(selector.properties())
                .anyMatch(each -> !job.path(each.getKey()).equals(each.getValue()));
        assertThat(one(documents, "Service").at("/spec/selector")).isEqualTo(selector);
        assertThat(one(documents, "PodMonitor").at("/spec/selector/matchLabels"))
                .isEqualTo(selector);
        assertThat(one(documents, "PodDisruptionBudget").at("/spec/selector/matchLabels"))
                .isEqualTo(selector);
    }
}
