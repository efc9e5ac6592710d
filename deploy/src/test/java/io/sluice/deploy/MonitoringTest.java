package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Alerts, their runbook, the dashboard, and how Prometheus and Grafana find them. */
class MonitoringTest {
    private static final String RUNBOOK = Repository.text("docs/runbook.md");
    private static final Pattern SECTION = Pattern.compile("(?m)^## (\\w+)\\n(.*?)(?=^## |\\z)", Pattern.DOTALL);

    static Stream<Alerts.Alert> alerts() {
        return Alerts.all().stream();
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void an_alert_says_how_bad_it_is_what_is_the_matter_and_where_to_read_on(Alerts.Alert alert) {
        assertThat(alert.rule().path("labels").path("severity").asText()).isIn("critical", "warning", "info");
        assertThat(alert.rule().path("annotations").path("summary").asText()).contains("{{ $");
        assertThat(alert.rule().path("annotations").path("runbook_url").asText())
                .isEqualTo("docs/runbook.md#" + alert.name().toLowerCase(Locale.ROOT));
    }

    @Test
    void every_alert_has_its_section_in_the_runbook_and_every_section_its_alert() {
        var sections =
                SECTION.matcher(RUNBOOK).results().map(found -> found.group(1)).toList();

        assertThat(Alerts.all()).isNotEmpty();
        assertThat(sections)
                .containsExactlyInAnyOrderElementsOf(
                        alerts().map(Alerts.Alert::name).toList());
    }

    @Test
    void a_section_says_what_it_means_how_to_see_it_what_to_do_and_what_not_to() {
        assertThat(SECTION.matcher(RUNBOOK).results())
                .allSatisfy(found -> assertThat(found.group(2))
                        .as(found.group(1))
                        .contains("*Means.* ", "*See.*\n```sh\n", "*Do.* ", "*Don't* "));
    }

    @Test
    void every_verb_of_the_runbook_is_one_the_program_has() {
        var verbs = Program.relayVerbs();
        var named = Pattern.compile("(?m)(?:^|`)relay ([a-z-]+)")
                .matcher(RUNBOOK)
                .results()
                .map(found -> found.group(1))
                .filter(word -> !word.equals("is"))
                .collect(Collectors.toSet());

        assertThat(named)
                .contains("status", "dead-letters", "leases")
                .allSatisfy(verb -> assertThat(verbs).contains(verb));
    }

    @Test
    void every_variable_of_the_runbook_is_a_setting() {
        assertThat(Pattern.compile("`((?:SLUICE|COSMOS)_[A-Z_]+)")
                        .matcher(RUNBOOK)
                        .results()
                        .map(found -> found.group(1)))
                .isNotEmpty()
                .allSatisfy(variable -> assertThat(
                                variable.startsWith("SLUICE_HOST_") ? Program.hostSettings() : Program.settings())
                        .contains(variable));
    }

    /**
     * What is asked of a label is one of the values that the page on metrics names (which its own test holds to the
     * code).
     */
    @Test
    void every_value_that_a_query_asks_for_can_occur() {
        var documented = Repository.text("docs/metrics.md");
        queries()
                .forEach(query -> query.metrics()
                        .forEach(metric -> query.chosenBy(metric)
                                .forEach((label, values) -> Stream.of(values.split("\\|", -1))
                                        .forEach(value -> assertThat(documented)
                                                .as("%s of %s", value, metric)
                                                .contains("`" + label + "`", "`" + value + "`")))));
    }

    static Stream<Query> queries() {
        return Stream.concat(alerts().map(alert -> new Query(alert.expression())), Dashboard.queries().stream());
    }

    @Test
    void panels_are_told_apart_and_do_not_overlap() {
        var panels = Dashboard.panels();
        assertThat(panels).extracting(panel -> panel.path("id").asInt()).doesNotHaveDuplicates();
        assertThat(panels).allSatisfy(panel -> {
            var place = panel.path("gridPos");
            assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(24);
            if (!panel.path("type").asText().equals("row")) {
                assertThat(panel.path("description").asText()).isNotBlank();
                assertThat(panel.path("targets")).isNotEmpty();
            }
        });
        for (int i = 0; i < panels.size(); i++) {
            for (int j = i + 1; j < panels.size(); j++) {
                assertThat(overlap(panels.get(i).path("gridPos"), panels.get(j).path("gridPos")))
                        .as(
                                "%s over %s",
                                panels.get(i).path("title"), panels.get(j).path("title"))
                        .isFalse();
            }
        }
    }

    private static boolean overlap(JsonNode one, JsonNode other) {
        return within(one, other, "x", "w") && within(one, other, "y", "h");
    }

    private static boolean within(JsonNode one, JsonNode other, String from, String length) {
        return one.path(from).asInt()
                        < other.path(from).asInt() + other.path(length).asInt()
                && other.path(from).asInt()
                        < one.path(from).asInt() + one.path(length).asInt();
    }

    @Test
    void prometheus_asks_the_relays_of_the_compose_file_and_knows_the_rules() {
        var config = Repository.yaml("deploy/prometheus/prometheus.yml");
        var relay = config.path("scrape_configs").path(0);

        assertThat(Repository.texts(config.path("rule_files"))).containsExactly("alerts.yml");
        assertThat(relay.path("job_name").asText()).isEqualTo("sluice-relay");
        assertThat(Repository.texts(relay.path("static_configs").path(0).path("targets")))
                .containsExactlyElementsOf(Compose.built("relay").entrySet().stream()
                        .filter(each -> each.getKey().startsWith("relay-"))
                        .map(each -> each.getKey() + ":"
                                + Compose.environment(each.getValue()).get("SLUICE_OPS_PORT"))
                        .toList());
    }

    @Test
    void prometheus_asks_the_durabletask_host_of_the_compose_file() {
        var host = Repository.yaml("deploy/prometheus/prometheus.yml")
                .path("scrape_configs")
                .path(1);

        assertThat(host.path("job_name").asText()).isEqualTo("sluice-durabletask-host");
        assertThat(Repository.texts(host.path("static_configs").path(0).path("targets")))
                .containsExactly("durabletask-host:"
                        + Compose.environment(Compose.service("durabletask-host"))
                                .get("SLUICE_HOST_OPS_PORT"));
    }

    @Test
    void grafana_finds_prometheus_and_the_dashboard_where_the_compose_file_puts_them() {
        var source = Repository.yaml("deploy/grafana/provisioning/datasources/prometheus.yml")
                .path("datasources")
                .path(0);
        var provider = Repository.yaml("deploy/grafana/provisioning/dashboards/sluice.yml")
                .path("providers")
                .path(0);
        var grafana = Compose.service("grafana");
        var folder = provider.path("options").path("path").asText();

        assertThat(source.path("url").asText()).isEqualTo("http://prometheus:9090");
        assertThat(Repository.texts(grafana.path("volumes"))).contains("./deploy/grafana/dashboards:" + folder + ":ro");
        assertThat(Compose.environment(grafana))
                .containsEntry("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH", folder + "/sluice.json");
    }

    /** By Prometheus' own tool, where it is installed. */
    @ParameterizedTest
    @ValueSource(strings = {"check rules alerts.yml", "test rules alerts-test.yml"})
    void the_rules_say_what_they_should(String verb) throws IOException, InterruptedException {
        var tool = Tool.onPath("promtool");
        assumeTrue(tool.isPresent(), "no promtool on the PATH: the rules' own tests are not run");

        var run = tool.get().run(Repository.path("deploy/prometheus"), verb.split(" ", -1));

        assertThat(run.code()).as(run.output()).isZero();
    }
}
