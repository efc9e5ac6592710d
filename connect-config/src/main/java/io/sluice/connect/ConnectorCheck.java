package io.sluice.connect;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Checks the configuration of one Azure Cosmos connector: every key known, every value in range, everything a choice
 * demands present, nothing that a choice leaves unread, no secret written out. All faults are reported, not the first.
 *
 * <p>A value that a config provider supplies ({@code ${env:…}}) is known to the worker alone: it counts as given and is
 * not looked into. Thread-safe; pure.
 */
public final class ConnectorCheck {
    /** A connection string, or a password in a URL, where none is expected. */
    private static final Pattern MAY_BE_SECRET = Pattern.compile("(?i)key=|secret|passw|sig=|://[^/]*@");

    private static final Pattern SECRET = Pattern.compile(".*\\.(account\\.key|clientSecret)$");
    /** Came after the releases that this table is of; a connector of those ignores it silently. */
    private static final String BUCKET = ConnectorKeys.THROUGHPUT + "throughputBucket";

    private ConnectorCheck() {}

    /**
     * All faults of this configuration, ordered by key; empty when the connector would accept it.
     *
     * @param config the {@code config} object of a connector, as it is posted to Connect's REST interface
     */
    public static List<Fault> faultsOf(Map<String, String> config) {
        var examination = new Examination(config);
        var className = examination.value("connector.class");
        ConnectorKind.ofClass(className)
                .ifPresentOrElse(
                        kind -> check(examination, kind),
                        () -> examination.fault(
                                "connector.class",
                                "must be one of "
                                        + List.of(ConnectorKind.SOURCE.className(), ConnectorKind.SINK.className())
                                        + ", was '" + className + "'"));
        return examination.faults();
    }

    private static void check(Examination examination, ConnectorKind kind) {
        var rules = ConnectorKeys.rulesOf(kind);
        examination.config().forEach((key, value) -> {
            if (!key.startsWith(ConnectorKeys.PREFIX)) {
                checkOfConnect(examination, key, value);
            } else if (rules.containsKey(key)) {
                checkValue(examination, key, value, rules.get(key));
            } else if (key.equals(BUCKET)) {
                examination.fault(key, "is newer than the releases 2.6, which ignore it");
            } else {
                examination.fault(key, "is not a key of the " + kind.name().toLowerCase(Locale.ROOT) + " connector");
            }
        });
        AccountRules.check(examination);
        ThroughputRules.check(examination);
        switch (kind) {
            case SOURCE -> SourceRules.check(examination);
            case SINK -> SinkRules.check(examination);
        }
    }

    private static void checkValue(Examination examination, String key, String value, KeyRule rule) {
        if (SECRET.matcher(key).matches()) {
            if (!value.isEmpty() && !Examination.isReference(value)) {
                examination.fault(
                        key,
                        "must be a reference to a config provider such as ${env:COSMOS_KEY}, not the secret itself");
            }
        } else if (!Examination.hasReference(value)) {
            rule.complaint(value).ifPresent(complaint -> examination.fault(key, complaint + was(value)));
        }
    }

    private static String was(String value) {
        return MAY_BE_SECRET.matcher(value).find() ? "; what it is may be secret" : ", was '" + value + "'";
    }

    private static void checkOfConnect(Examination examination, String key, String value) {
        var rule = ConnectorKeys.OF_CONNECT.get(key);
        if (rule != null && !Examination.hasReference(value)) {
            rule.complaint(value).ifPresent(complaint -> examination.fault(key, complaint + was(value)));
        }
    }
}
