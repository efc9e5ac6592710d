package io.sluice.connect;

import java.util.List;

/** What the keys of a source demand of each other. */
final class SourceRules {
    private static final String SOURCE = ConnectorKind.SOURCE.keyPrefix();

    private SourceRules() {}

    static void check(Examination examination) {
        examination.require(SOURCE + "database.name");
        checkContainers(examination);
        checkFeed(examination);
        examination.onlyReadWith(
                !examination.is(SOURCE + "messageKey.enabled", "false", "true"),
                "messageKey.enabled=true",
                SOURCE + "messageKey.field");
        if (examination.value("exactly.once.support").equals("required")) {
            examination.fault(
                    "exactly.once.support",
                    "must be 'requested': the connector does not declare exactly-once support and fails its preflight when it is required");
        }
    }

    private static void checkContainers(Examination examination) {
        boolean takesAll = examination.value(SOURCE + "containers.includeAll").equals("true");
        examination.onlyReadWith(
                !takesAll,
                "containers.includeAll=false, which takes the named ones",
                SOURCE + "containers.includedList");
        if (takesAll) {
            return;
        }
        examination.require(
                SOURCE + "containers.includedList", "must name a container unless containers.includeAll is true");
        List<String> included = examination.elements(SOURCE + "containers.includedList");
        for (String pair : examination.elements(SOURCE + "containers.topicMap")) {
            var container = pair.substring(pair.indexOf('#') + 1);
            if (!included.isEmpty() && !included.contains(container)) {
                examination.fault(
                        SOURCE + "containers.topicMap",
                        "names the container '" + container + "', which containers.includedList does not");
            }
        }
    }

    /** The service starts a feed of all versions now or at a continuation, never in the past. */
    private static void checkFeed(Examination examination) {
        boolean keepsAllVersions = examination.value(SOURCE + "changeFeed.mode").equals("AllVersionsAndDeletes");
        if (keepsAllVersions && !examination.is(SOURCE + "changeFeed.startFrom", "Now", "Beginning")) {
            examination.fault(
                    SOURCE + "changeFeed.startFrom", "must be Now with changeFeed.mode=AllVersionsAndDeletes");
        }
        if (examination.is(SOURCE + "metadata.storage.type", "Kafka", "Kafka")
                && !Examination.hasReference(examination.value(SOURCE + "metadata.storage.name"))
                && examination.isGiven(SOURCE + "metadata.storage.name")) {
            KeyRule.topic()
                    .complaint(examination.value(SOURCE + "metadata.storage.name"))
                    .ifPresent(complaint -> examination.fault(SOURCE + "metadata.storage.name", complaint));
        }
    }
}
