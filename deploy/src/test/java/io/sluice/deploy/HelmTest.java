package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart, as far as its files tell without Helm. */
class HelmTest {
    private static final String CHART = "deploy/helm/sluice-relay/";
    private static final JsonNode VALUES = Repository.yaml(CHART + "values.yaml");
    private static final String TEMPLATES = templates();
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Za-z.]+)` \\| (?:`(.*?)`)? \\| .* \\|$");

    private static String templates() {
        try (var files = Files.list(Repository.path(CHART + "templates"))) {
            return files.sorted()
                    .map(file -> Repository.text(CHART + "templates/" + file.getFileName()))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isValid(JsonNode values) {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
                .getSchema(Repository.text(CHART + "values.schema.json"))
                .validate(values)
                .isEmpty();
    }

    @Test
    void the_values_are_what_the_schema_asks_for() {
        assertThat(isValid(VALUES)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "everything"})
    void so_are_those_the_chart_is_checked_with(String name) {
        assertThat(isValid(Repository.yaml(CHART + "ci/" + name + ".yaml"))).isTrue();
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
    void the_schema_refuses_what_is_no_value(String path, String value) throws IOException {
        ObjectNode values = VALUES.deepCopy();
        var names = path.split("\\.", -1);
        var place = values;
        for (int i = 0; i < names.length - 1; i++) {
            place = (ObjectNode) place.path(names[i]);
        }
        place.set(
                names[names.length - 1],
                value.matches("\\d+") ? new ObjectMapper().readTree(value) : place.textNode(value));

        assertThat(isValid(values)).isFalse();
    }

    @Test
    void every_value_stands_in_the_README_with_its_default() {
        var documented = new TreeMap<String, String>();
        ROW.matcher(Repository.text(CHART + "README.md"))
                .results()
                .forEach(row -> documented.put(row.group(1), row.group(2) == null ? "" : row.group(2)));
        var there = new TreeMap<String, String>();
        leaves("", VALUES, there);

        assertThat(documented).isEqualTo(there);
    }

    private static void leaves(String prefix, JsonNode values, Map<String, String> to) {
        values.properties().forEach(each -> {
            var name = prefix + each.getKey();
            var value = each.getValue();
            if (value.isObject() && !value.isEmpty() && !name.equals("resources")) {
                leaves(name + ".", value, to);
            } else {
                to.put(name, value.isTextual() ? value.asText() : spaced(value.toString()));
            }
        });
    }

    private static String spaced(String json) {
        return json.replace(":", ": ").replace(",", ", ");
    }

    @Test
    void every_value_is_used() {
        var there = new TreeMap<String, String>();
        leaves("", VALUES, there);

        assertThat(there.keySet()).allSatisfy(name -> {
            var part = name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : name;
            assertThat(TEMPLATES).containsAnyOf(".Values." + name, ".Values." + part + " ");
        });
    }

    @Test
    void every_variable_is_a_setting() {
        assertThat(Pattern.compile("- name: ((?:SLUICE|COSMOS|KAFKA)_[A-Z_]+)")
                        .matcher(TEMPLATES)
                        .results()
                        .map(found -> found.group(1)))
                .contains("COSMOS_ENDPOINT", "SLUICE_STREAMS_ADVERTISED")
                .allSatisfy(variable -> assertThat(Program.settings()).contains(variable));
    }

    @Test
    void every_verb_is_one_the_program_has() {
        assertThat(Pattern.compile("(?:args: \\[\"|relay\\.jar )([a-z-]+)")
                        .matcher(TEMPLATES)
                        .results()
                        .map(found -> found.group(1)))
                .contains("run", "status")
                .allSatisfy(verb -> assertThat(Program.relayVerbs()).contains(verb));
        assertThat(Program.run(Program.RELAY, List.of(), "check", "--help").output())
                .contains("--fix");
    }

    @Test
    void it_is_the_image_of_the_Dockerfile_at_the_version_of_the_build() {
        var chart = Repository.yaml(CHART + "Chart.yaml");
        var dockerfile = Dockerfile.read();
        var image = VALUES.path("image").path("repository").asText() + ":"
                + chart.path("appVersion").asText();

        assertThat(image).isEqualTo(Compose.service("relay-1").path("image").asText());
        assertThat(VALUES.path("ops").path("port").asText()).isEqualTo(dockerfile.instruction("relay", "EXPOSE"));
        var user = dockerfile.instruction("relay", "USER").split(":", -1)[0];
        assertThat(TEMPLATES).contains("runAsUser: " + user, "runAsGroup: " + user, "fsGroup: " + user);
        assertThat(dockerfile.instruction("runtime", "RUN")).contains("/sluice/state");
        assertThat(VALUES.path("javaOptions").asText())
                .isEqualTo(dockerfile.instruction("runtime", "ENV").replaceAll("JAVA_TOOL_OPTIONS=|\"", ""));
    }

    @Test
    void defaults_are_those_of_the_program_and_leave_time_to_drain() {
        int drain = VALUES.path("drainSeconds").asInt();

        assertThat(String.valueOf(drain * 1000)).isEqualTo(Program.defaultOf("SLUICE_DRAIN_TIMEOUT"));
        assertThat(VALUES.path("terminationGracePeriodSeconds").asInt()).isGreaterThanOrEqualTo(drain + 10);
        assertThat(VALUES.path("prefix").asText()).isEqualTo(Program.defaultOf("SLUICE_PREFIX"));
        assertThat(String.valueOf(
                        VALUES.path("streams").path("stuckAfterSeconds").asInt() * 1000))
                .isEqualTo(Program.defaultOf("SLUICE_STUCK_AFTER"));
        assertThat(String.valueOf(Duration.ofDays(VALUES.path("streams")
                                .path("instanceRetentionDays")
                                .asInt())
                        .toMillis()))
                .isEqualTo(Program.defaultOf("SLUICE_INSTANCE_RETENTION"));
    }

    @Test
    void secrets_are_named_and_never_values() {
        assertThat(TEMPLATES).doesNotContain("kind: Secret");
        assertThat(Pattern.compile("name: \\w*(KEY|TOKEN)\\n\\s*(\\w+):")
                        .matcher(TEMPLATES)
                        .results()
                        .map(found -> found.group(2)))
                .hasSize(2)
                .containsOnly("valueFrom");
    }

    @Test
    void the_alerts_of_the_chart_are_the_alerts() throws IOException {
        assertThat(Repository.path(CHART + "alerts.yml").toRealPath())
                .isEqualTo(Repository.path(Alerts.FILE).toRealPath());
    }
}
