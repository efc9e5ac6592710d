package io.sluice.connect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Checks the configuration of one Azure Cosmos connector: every key known, every value in range, everything a choice
 * demands present, no secret written out. All faults are reported, not the first.
 *
 * <p>Thread-safe; pure.
 */
public final class ConnectorCheck {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^}:]+:[^}]*}");
    private static final Pattern SECRET = Pattern.compile(".*\\.(account\\.key|clientSecret)$");

    private final Map<String, String> config;
    private final List<Fault> faults = new ArrayList<>();

    private ConnectorCheck(Map<String, String> config) {
        this.config = Map.copyOf(config);
    }

    /**
     * All faults of this configuration, ordered by key; empty when the connector would accept it.
     *
     * @param config the {@code config} object of a connector, as it is posted to Connect's REST interface
     */
    public static List<Fault> faultsOf(Map<String, String> config) {
        var check = new ConnectorCheck(config);
        check.run();
        check.faults.sort(Comparator.comparing(Fault::key).thenComparing(Fault::complaint));
        return List.copyOf(check.faults);
    }

    private void run() {
        var className = value("connector.class");
        var kind = ConnectorKind.ofClass(className);
        if (kind.isEmpty()) {
            fault(
                    "connector.class",
                    "must be one of " + List.of(ConnectorKind.SOURCE.className(), ConnectorKind.SINK.className())
                            + ", was '" + className + "'");
            return;
        }
        checkValues(kind.get());
        checkAuthentication();
        checkThroughputControl();
        if (kind.get() == ConnectorKind.SOURCE) {
            checkSource();
        } else {
            checkSink();
        }
    }

    private void checkValues(ConnectorKind kind) {
        var rules = ConnectorKeys.rulesOf(kind);
        config.forEach((key, value) -> {
            if (!key.startsWith(ConnectorKeys.PREFIX)) {
                return;
            }
            var rule = rules.get(key);
            if (rule == null) {
                fault(key, "is not a key of the " + kind.name().toLowerCase(Locale.ROOT) + " connector");
            } else if (SECRET.matcher(key).matches()) {
                if (!value.isEmpty() && !REFERENCE.matcher(value).matches()) {
                    fault(
                            key,
                            "must be a reference to a config provider such as ${env:COSMOS_KEY}, not the secret itself");
                }
            } else if (!REFERENCE.matcher(value).find()) {
                rule.complaint(value).ifPresent(complaint -> fault(key, complaint + ", was '" + value + "'"));
            }
        });
        require(ConnectorKeys.PREFIX + "account.endpoint");
        require(kind.keyPrefix() + "database.name");
    }

    private void checkAuthentication() {
        if (value("azure.cosmos.auth.type").equals("ServicePrincipal")) {
            require("azure.cosmos.account.tenantId");
            require("azure.cosmos.auth.aad.clientId");
            require("azure.cosmos.auth.aad.clientSecret");
        } else {
            require("azure.cosmos.account.key");
        }
    }

    private void checkThroughputControl() {
        if (!value(ConnectorKeys.THROUGHPUT + "enabled").equals("true")) {
            return;
        }
        require(ConnectorKeys.THROUGHPUT + "group.name");
        require(ConnectorKeys.THROUGHPUT + "globalControl.database.name");
        require(ConnectorKeys.THROUGHPUT + "globalControl.container.name");
        var targets = List.of("targetThroughput", "targetThroughputThreshold", "priorityLevel");
        if (targets.stream()
                .allMatch(target -> value(ConnectorKeys.THROUGHPUT + target).isEmpty())) {
            fault(ConnectorKeys.THROUGHPUT + "targetThroughput", "one of " + targets + " must be set");
        }
        boolean threshold =
                !value(ConnectorKeys.THROUGHPUT + "targetThroughputThreshold").isEmpty();
        if (threshold && value("azure.cosmos.auth.type").equals("ServicePrincipal")) {
            fault(ConnectorKeys.THROUGHPUT + "targetThroughputThreshold", "is not allowed with ServicePrincipal");
        }
    }

    private void checkSource() {
        boolean all = value("azure.cosmos.source.containers.includeAll").equals("true");
        if (!all && value("azure.cosmos.source.containers.includedList").isEmpty()) {
            fault(
                    "azure.cosmos.source.containers.includedList",
                    "must name a container unless containers.includeAll is true");
        }
        if (value("exactly.once.support").equals("required")) {
            fault(
                    "exactly.once.support",
                    "must be 'requested': the connector does not declare exactly-once support and fails its preflight when it is required");
        }
    }

    private void checkSink() {
        require("azure.cosmos.sink.containers.topicMap");
        if (value("azure.cosmos.sink.id.strategy").equals("TemplateStrategy")) {
            require("azure.cosmos.sink.id.strategy.template");
        } else if (!value("azure.cosmos.sink.id.strategy.template").isEmpty()) {
            fault("azure.cosmos.sink.id.strategy.template", "is only read with id.strategy=TemplateStrategy");
        }
    }

    private void require(String key) {
        if (value(key).isBlank()) {
            fault(key, "is required");
        }
    }

    private void fault(String key, String complaint) {
        faults.add(new Fault(key, complaint));
    }

    private String value(String key) {
        return config.getOrDefault(key, "");
    }
}
