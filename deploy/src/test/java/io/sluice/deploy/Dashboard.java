package io.sluice.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Grafana's dashboard. */
final class Dashboard {
    static final JsonNode FILE = Repository.json("deploy/grafana/dashboards/sluice.json");

    private Dashboard() {}

    static List<JsonNode> panels() {
        var panels = new ArrayList<JsonNode>();
        FILE.path("panels").forEach(panels::add);
        return panels;
    }

    /** Those of the panels, without the variables'. */
    static List<Query> panelQueries() {
        var queries = new ArrayList<Query>();
        panels().forEach(panel -> panel.path("targets")
                .forEach(target -> queries.add(new Query(target.path("expr").asText()))));
        return queries;
    }

    static List<Query> queries() {
        var queries = panelQueries();
        FILE.path("templating")
                .path("list")
                .forEach(variable ->
                        queries.add(new Query(variable.path("definition").asText())));
        return queries;
    }
}
