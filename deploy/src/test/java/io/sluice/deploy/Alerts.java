package io.sluice.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The alert rules. */
final class Alerts {
    static final String FILE = "deploy/prometheus/alerts.yml";

    private Alerts() {}

    /** One rule. */
    record Alert(String name, String expression, JsonNode rule) {}

    static List<Alert> all() {
        var alerts = new ArrayList<Alert>();
        Repository.yaml(FILE)
                .path("groups")
                .forEach(group -> group.path("rules")
                        .forEach(rule -> alerts.add(new Alert(
                                rule.path("alert").asText(), rule.path("expr").asText(), rule))));
        return alerts;
    }
}
