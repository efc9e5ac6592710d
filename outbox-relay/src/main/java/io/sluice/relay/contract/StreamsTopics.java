package io.sluice.relay.contract;

import io.sluice.relay.contract.TopicContract.Promises;
import io.sluice.relay.contract.TopicStorage.Cleanup;
import io.sluice.relay.contract.TopicStorage.Partitions;
import io.sluice.relay.contract.TopicStorage.Records;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.record.TimestampType;

/** The topics that Kafka Streams derives from the history, if streams are enabled. */
final class StreamsTopics {
    /** Follows the prefix in the id of the streams application, with which the names of its internal topics begin. */
    static final String APPLICATION = "-streams";

    private static final String MEMBERS = "fields";

    /**
     * Streams give a fact's record the time of its event. If retention counted from then, Kafka would delete facts of
     * events that are read late, after an outage or from the beginning, before a consumer has seen them.
     */
    private static final Map<String, String> KEPT_SINCE_WRITTEN =
            Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, TimestampType.LOG_APPEND_TIME.name);

    static final TopicContract LIFECYCLE = new TopicContract(
            ".lifecycle",
            "business facts",
            "relay with streams",
            "instance id",
            List.of(new TopicValue("`ce_type` `io.sluice.lifecycle.<type>`", "lifecycle.schema.json", "one fact")),
            Headers.CLOUD_EVENT,
            new TopicStorage(Partitions.AS_HISTORY, Cleanup.DELETE, null, Records.BY_THE_BROKER, KEPT_SINCE_WRITTEN),
            "otherwise all but the last fact of an instance is removed",
            new Promises(
                    "of one instance: the order of `history`",
                    "each fact once, under `read_committed`",
                    "`ce_id` `<ce_id of the history record>:<type>`",
                    "never without a value; a deletion is a fact of type `deleted`",
                    "types of facts; fields"),
            true);

    static final TopicContract STATUS = new TopicContract(
            ".status",
            "the last state of each instance",
            "relay with streams",
            "instance id",
            List.of(new TopicValue("all with a value", "status.schema.json", "the state after the latest event")),
            List.of(),
            new TopicStorage(Partitions.AS_HISTORY, Cleanup.COMPACT, null, Records.BY_THE_BROKER, Map.of()),
            "otherwise states are lost, or never replaced",
            new Promises(
                    "of one instance: the order of `history`",
                    "a record replaces the previous one with its key; only changes are written",
                    "the key",
                    "without a value: the instance was deleted, or ended longer ago than `SLUICE_INSTANCE_RETENTION` (30 days); "
                            + "Kafka removes that record after `delete.retention.ms` (a day)",
                    MEMBERS),
            false);

    static final TopicContract STATISTICS = new TopicContract(
            ".statistics",
            "counts and durations of each orchestration in each window",
            "relay with streams",
            "`<orchestration>@<start of the window>`",
            List.of(new TopicValue("all", "statistics.schema.json", "counts and durations of one window")),
            List.of(),
            new TopicStorage(
                    Partitions.AS_HISTORY,
                    Cleanup.COMPACT_AND_DELETE,
                    Duration.ofDays(30),
                    Records.BY_THE_BROKER,
                    Map.of()),
            null,
            new Promises(
                    "of one key: counts grow",
                    "a record replaces the previous one with its key; facts that are late, by a day at most, change an old window",
                    "the key",
                    "never without a value",
                    MEMBERS),
            false);

    static final TopicContract STUCK = new TopicContract(
            ".stuck",
            "running instances without recent events",
            "relay with streams",
            "instance id",
            List.of(new TopicValue("all with a value", "stuck.schema.json", "since when, and the latest event")),
            List.of(),
            new TopicStorage(Partitions.AS_HISTORY, Cleanup.COMPACT, null, Records.BY_THE_BROKER, Map.of()),
            "otherwise stuck instances are lost",
            new Promises(
                    "of one instance: the order of events",
                    "once for each time without events",
                    "the key",
                    "without a value: the instance has a new event, ended or was deleted; Kafka removes that record after `delete.retention.ms` (a day)",
                    MEMBERS),
            false);

    private StreamsTopics() {}
}
