package io.sluice.connect;

import java.util.List;

/** What throughput control demands once it is switched on. */
final class ThroughputRules {
    private static final String T = ConnectorKeys.THROUGHPUT;
    private static final List<String> TARGETS =
            List.of("targetThroughput", "targetThroughputThreshold", "priorityLevel");
    private static final long DEFAULT_RENEWAL_MILLIS = 5_000;

    private ThroughputRules() {}

    static void check(Examination examination) {
        if (!examination.value(T + "enabled").equals("true")) {
            examination.config().keySet().stream()
                    .filter(key -> key.startsWith(T) && !key.equals(T + "enabled"))
                    .forEach(key -> examination.onlyReadWith(false, "throughputControl.enabled=true", key));
            return;
        }
        examination.require(T + "group.name");
        examination.require(T + "globalControl.database.name");
        examination.require(T + "globalControl.container.name");
        checkTarget(examination);
        checkIntervals(examination);
        AccountRules.checkOfThroughputControl(examination);
    }

    private static void checkTarget(Examination examination) {
        if (TARGETS.stream().noneMatch(target -> examination.isGiven(T + target))) {
            examination.fault(T + "targetThroughput", "one of " + TARGETS + " must be set");
        }
        if (examination.isGiven(T + "targetThroughputThreshold") && AccountRules.isByServicePrincipal(examination)) {
            // The share is taken of the container's throughput, which no data plane role may read.
            examination.fault(T + "targetThroughputThreshold", "is not allowed with ServicePrincipal");
        }
    }

    private static void checkIntervals(Examination examination) {
        var expiry = T + "globalControl.expireIntervalInMS";
        var renewal = millis(examination.value(T + "globalControl.renewIntervalInMS"), DEFAULT_RENEWAL_MILLIS);
        long least = 2 * renewal + 1;
        if (examination.isGiven(expiry) && millis(examination.value(expiry), least) < least) {
            examination.fault(expiry, "must be more than twice the renewal, at least " + least);
        }
    }

    /** The key's own rule complains about a value that is no number. */
    private static long millis(String text, long otherwise) {
        return text.matches("\\d{1,12}") ? Long.parseLong(text) : otherwise;
    }
}
