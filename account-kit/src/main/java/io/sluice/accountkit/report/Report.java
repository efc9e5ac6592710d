package io.sluice.accountkit.report;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The table of all findings. Whatever is told of it names no account. */
public final class Report {
    private static final JsonMapper JSON = new JsonMapper();

    private final Setup setup;
    private final List<Finding> findings;

    /** Of these findings, whose texts lose what {@code secrecy} knows. */
    public Report(Setup setup, List<Finding> findings, Secrecy secrecy) {
        this.setup = setup;
        this.findings =
                findings.stream().map(each -> each.withDetail(secrecy::hidden)).toList();
    }

    /** The rows. */
    public List<Finding> findings() {
        return findings;
    }

    /** How many rows hold, differ and were not tried. */
    public String sum() {
        return findings.stream()
                .collect(Collectors.groupingBy(
                        each -> each.outcome().word(), java.util.TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", "));
    }

    /** For people at a terminal: three lines a row, and the sum. */
    public String text() {
        StringBuilder text = new StringBuilder();
        facts().forEach((name, value) ->
                text.append(name).append(": ").append(value).append('\n'));
        findings.forEach(each -> text.append('\n').append(text(each)));
        return text.append('\n').append(sum()).append('\n').toString();
    }

    /** One row as {@link #text} has it. */
    public static String text(Finding finding) {
        Outcome outcome = finding.outcome();
        String label = outcome.result() == Outcome.Result.NOT_TRIED ? "because " : "measured";
        return "%-9s  %s%n           expected  %s (%s)%n           %s  %s%n"
                .formatted(
                        outcome.word(), finding.name(), finding.expected(), finding.source(), label, outcome.detail());
    }

    /** A table for an issue or a mail. */
    public String markdown() {
        StringBuilder table = new StringBuilder();
        table.append(facts().entrySet().stream()
                .map(fact -> fact.getKey() + " " + fact.getValue())
                .collect(Collectors.joining(", ")));
        table.append("\n\n| | assumption | expected | measured, or why not | source |\n|---|---|---|---|---|\n");
        for (Finding each : findings) {
            table.append("| ")
                    .append(List.of(
                                    each.outcome().word(),
                                    each.name(),
                                    each.expected(),
                                    each.outcome().detail(),
                                    each.source())
                            .stream()
                            .map(Report::cell)
                            .collect(Collectors.joining(" | ")))
                    .append(" |\n");
        }
        return table.append('\n').append(sum()).append('\n').toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replaceAll("\\s+", " ");
    }

    /** For programs. */
    public String json() {
        ObjectNode json = JSON.createObjectNode();
        ObjectNode facts = json.putObject("setup");
        facts().forEach(facts::put);
        var rows = json.putArray("findings");
        for (Finding each : findings) {
            rows.addObject()
                    .put("outcome", each.outcome().word())
                    .put("assumption", each.name())
                    .put("expected", each.expected())
                    .put("source", each.source())
                    .put("detail", each.outcome().detail());
        }
        return json.toPrettyString();
    }

    private Map<String, String> facts() {
        return setup.facts();
    }
}
