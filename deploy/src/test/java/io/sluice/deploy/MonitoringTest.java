package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Alerts, their runbook and the dashboard name what there is; that their metrics are exported is in {@link
 * ExportedMetricsIT}.
 */
class MonitoringTest {
    private static final String RUNBOOK = Repository.text("docs/runbook.md");
    private static final Pattern SECTION = Pattern.compile("(?m)^## (\\w+)$");

    static Stream<Alerts.Alert> alerts() {
        return Alerts.all().stream();
    }

    @Test
    void every_alert_has_its_section_in_the_runbook_and_every_section_its_alert() {
        var sections =
                SECTION.matcher(RUNBOOK).results().map(found -> found.group(1)).toList();

        assertThat(Alerts.all())
                .isNotEmpty()
                .allSatisfy(alert -> assertThat(
                                alert.rule().at("/annotations/runbook_url").asText())
                        .isEqualTo("docs/runbook.md#" + alert.name().toLowerCase(Locale.ROOT)));
        assertThat(sections)
                .containsExactlyInAnyOrderElementsOf(
                        alerts().map(Alerts.Alert::name).toList());
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
                .contains("status", "dead-letters", "check")
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
    void every_panel_on_relays_and_hosts_shows_the_fleet_that_is_chosen() {
        assertThat(Dashboard.panelQueries())
                .filteredOn(query -> query.metrics().stream().anyMatch(name -> name.matches("sluice_(relay|host)_.*")))
                .hasSizeGreaterThan(20)
                .allSatisfy(query -> query.metrics()
                        .forEach(metric ->
                                assertThat(query.text()).contains(metric + "{").contains("job=~\"$job\"")));
    }

    @Test
    void prometheus_asks_relays_and_host_of_the_compose_file_at_their_ports() {
        var asked =
                Repository.yaml("deploy/prometheus/prometheus.yml")
                        .path("scrape_configs")
                        .findValues("targets")
                        .stream()
                        .flatMap(targets -> Repository.texts(targets).stream());

        assertThat(asked)
                .containsExactlyInAnyOrder(
                        "relay-1:" + port("relay-1", "SLUICE_OPS_PORT"),
                        "relay-2:" + port("relay-2", "SLUICE_OPS_PORT"),
                        "durabletask-host:" + port("durabletask-host", "SLUICE_HOST_OPS_PORT"));
    }

    private static String port(String service, String variable) {
        return Compose.environment(Compose.service(service)).getOrDefault(variable, "");
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
