package io.sluice.connect;

import java.util.List;

/** What the keys of a sink demand of each other. */
final class SinkRules {
    private static final String SINK = ConnectorKind.SINK.keyPrefix();

    private SinkRules() {}

    static void check(Examination examination) {
        examination.require(SINK + "database.name");
        examination.require(SINK + "containers.topicMap");
        checkTopics(examination);
        checkIds(examination);
        examination.onlyReadWith(
                !examination.is(SINK + "bulk.enabled", "false", "true"),
                "bulk.enabled=true",
                SINK + "bulk.maxConcurrentCosmosPartitions",
                SINK + "bulk.initialBatchSize");
        examination.onlyReadWith(
                examination.value(SINK + "write.strategy").equals("ItemPatch"),
                "write.strategy=ItemPatch",
                SINK + "write.patch.operationType.default",
                SINK + "write.patch.property.configs",
                SINK + "write.patch.filter");
    }

    /** A record of a topic that no container is named for ends the task. */
    private static void checkTopics(Examination examination) {
        if (!examination.isGiven("topics") && !examination.isGiven("topics.regex")) {
            examination.fault("topics", "is required, or topics.regex");
        }
        List<String> mapped = examination.elements(SINK + "containers.topicMap").stream()
                .map(pair -> pair.substring(0, Math.max(0, pair.indexOf('#'))))
                .toList();
        if (mapped.isEmpty()) {
            return;
        }
        for (String topic : examination.elements("topics")) {
            if (!mapped.contains(topic)) {
                examination.fault(
                        SINK + "containers.topicMap", "must name a container for the topic '" + topic + "' of topics");
            }
        }
    }

    private static void checkIds(Examination examination) {
        boolean byTemplate = examination.value(SINK + "id.strategy").equals("TemplateStrategy");
        if (byTemplate) {
            examination.require(SINK + "id.strategy.template", "is required with id.strategy=TemplateStrategy");
        }
        examination.onlyReadWith(byTemplate, "id.strategy=TemplateStrategy", SINK + "id.strategy.template");
    }
}
