package io.sluice.connect;

import static io.sluice.connect.KeyRule.any;
import static io.sluice.connect.KeyRule.atLeast;
import static io.sluice.connect.KeyRule.atLeastOrOff;
import static io.sluice.connect.KeyRule.bool;
import static io.sluice.connect.KeyRule.filled;
import static io.sluice.connect.KeyRule.list;
import static io.sluice.connect.KeyRule.oneOf;
import static io.sluice.connect.KeyRule.patchProperties;
import static io.sluice.connect.KeyRule.share;
import static io.sluice.connect.KeyRule.startFrom;
import static io.sluice.connect.KeyRule.template;
import static io.sluice.connect.KeyRule.tenant;
import static io.sluice.connect.KeyRule.topic;
import static io.sluice.connect.KeyRule.topicMap;
import static io.sluice.connect.KeyRule.url;
import static java.util.Map.entry;

import java.util.HashMap;
import java.util.Map;

/** Every key of the Azure Cosmos connector V2 (2.6) with the rule for its value, and which of them must be there. */
final class ConnectorKeys {
    static final String PREFIX = "azure.cosmos.";
    static final String THROUGHPUT = PREFIX + "throughputControl.";

    private static final Map<String, KeyRule> ACCOUNT = Map.ofEntries(
            entry("account.endpoint", url()),
            entry("account.environment", oneOf("Azure", "AzureChina", "AzureUsGovernment", "AzureGermany")),
            entry("account.tenantId", tenant()),
            entry("auth.type", oneOf("MasterKey", "ServicePrincipal")),
            entry("account.key", any()),
            entry("auth.aad.clientId", filled()),
            entry("auth.aad.clientSecret", any()),
            entry("auth.aad.authEndpointOverride", url()),
            entry("mode.gateway", bool()),
            entry("preferredRegionList", list()),
            entry("application.name", any()));

    private static final Map<String, KeyRule> THROUGHPUT_CONTROL = Map.ofEntries(
            entry("enabled", bool()),
            entry("account.endpoint", url()),
            entry("account.environment", oneOf("Azure", "AzureChina", "AzureUsGovernment", "AzureGermany")),
            entry("account.tenantId", tenant()),
            entry("auth.type", oneOf("MasterKey", "ServicePrincipal")),
            entry("account.key", any()),
            entry("auth.aad.clientId", filled()),
            entry("auth.aad.clientSecret", any()),
            entry("preferredRegionList", list()),
            entry("mode.gateway", bool()),
            entry("group.name", filled()),
            entry("targetThroughput", atLeast(1)),
            entry("targetThroughputThreshold", share()),
            entry("priorityLevel", oneOf("None", "High", "Low")),
            entry("globalControl.database.name", filled()),
            entry("globalControl.container.name", filled()),
            entry("globalControl.renewIntervalInMS", atLeast(5000)),
            entry("globalControl.expireIntervalInMS", atLeast(10001)));

    private static final Map<String, KeyRule> SOURCE = Map.ofEntries(
            entry("database.name", filled()),
            entry("containers.includeAll", bool()),
            entry("containers.includedList", list()),
            entry("containers.topicMap", topicMap()),
            entry("changeFeed.startFrom", startFrom()),
            entry("changeFeed.mode", oneOf("LatestVersion", "AllVersionsAndDeletes")),
            entry("changeFeed.maxItemCountHint", atLeast(1)),
            entry("metadata.poll.delay.ms", atLeast(1)),
            entry("metadata.storage.type", oneOf("Kafka", "Cosmos")),
            entry("metadata.storage.name", filled()),
            entry("messageKey.enabled", bool()),
            entry("messageKey.field", filled()));

    private static final Map<String, KeyRule> SINK = Map.ofEntries(
            entry("database.name", filled()),
            entry("containers.topicMap", topicMap()),
            entry("errors.tolerance.level", oneOf("None", "All")),
            entry("bulk.enabled", bool()),
            entry("bulk.maxConcurrentCosmosPartitions", atLeastOrOff(1)),
            entry("bulk.initialBatchSize", atLeast(1)),
            entry(
                    "write.strategy",
                    oneOf(
                            "ItemOverwrite",
                            "ItemAppend",
                            "ItemDelete",
                            "ItemDeleteIfNotModified",
                            "ItemOverwriteIfNotModified",
                            "ItemPatch")),
            entry("maxRetryCount", atLeast(0)),
            entry(
                    "id.strategy",
                    oneOf(
                            "ProvidedInValueStrategy",
                            "ProvidedInKeyStrategy",
                            "FullKeyStrategy",
                            "KafkaMetadataStrategy",
                            "TemplateStrategy")),
            entry("id.strategy.template", template()),
            entry("write.patch.operationType.default", oneOf("none", "add", "set", "replace", "remove", "increment")),
            entry("write.patch.property.configs", patchProperties()),
            entry("write.patch.filter", filled()));

    /** Keys of Connect itself whose wrong values cost a task at run time instead of a refusal at once. */
    static final Map<String, KeyRule> OF_CONNECT = Map.of(
            "tasks.max", atLeast(1),
            "errors.tolerance", oneOf("none", "all"),
            "value.converter.schemas.enable", bool(),
            "key.converter.schemas.enable", bool(),
            "exactly.once.support", oneOf("requested", "required"),
            "consumer.override.isolation.level", oneOf("read_committed", "read_uncommitted"),
            "errors.deadletterqueue.topic.name", topic(),
            "errors.deadletterqueue.context.headers.enable", bool());

    private ConnectorKeys() {}

    /** The rules of all {@code azure.cosmos.} keys that a connector of this kind accepts, by full key. */
    static Map<String, KeyRule> rulesOf(ConnectorKind kind) {
        var rules = new HashMap<String, KeyRule>();
        ACCOUNT.forEach((key, rule) -> rules.put(PREFIX + key, rule));
        THROUGHPUT_CONTROL.forEach((key, rule) -> rules.put(THROUGHPUT + key, rule));
        var own = kind == ConnectorKind.SOURCE ? SOURCE : SINK;
        own.forEach((key, rule) -> rules.put(kind.keyPrefix() + key, rule));
        return rules;
    }
}
