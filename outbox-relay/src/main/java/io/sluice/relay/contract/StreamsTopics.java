package io.sluice.relay.contract;

import io.sluice.relay.contract.TopicContract.Promises;
import io.sluice.relay.contract.TopicStorage.Cleanup;
import io.sluice.relay.contract.TopicStorage.Partitions;
import io.sluice.relay.contract.TopicStorage.Records;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The topics that Kafka Streams derives from the history, if streams are enabled. */
final class StreamsTopics {
    private static final String MEMBERS = "fields";

    static final TopicContract LIFECYCLE = new TopicContract(
            ".lifecycle",
            "business facts",
            "relay with streams",
            "instance id",
            List.of(new TopicValue("`ce_type` `io.sluice.lifecycle.<type>`", "lifecycle.schema.json", "one fact")),
            Headers.CLOUD_EVENT,
            new TopicStorage(Partitions.AS_HISTORY, Cleanup.DELETE, null, Records.BY_THE_BROKER, Map.of()),
            "else all but the last fact of an instance is removed",
            new Promises(
                    "of one instance: as in `history`",
                    "each fact once, under `read_committed`",
                    "`ce_id` `<id of the history event>/<type>`",
                    "never without a value; an end is a fact of type `deleted`",
                    "types of facts; fields"),
            true);

    static final TopicContract STATUS = new TopicContract(
            ".status",
            "the last state of each instance",
            "relay with streams",
            "instance id",
            List.of(new TopicValue("all with a value", "status.schema.json", "the state after its latest event")),
            List.of(),
            new TopicStorage(Partitions.AS_HISTORY, Cleanup.COMPACT, null, Records.BY_THE_BROKER, Map.of()),
            "else states are lost, or never replaced",
            new Promises(
                    "of one instance: as in `history`",
                    "a record replaces the one before of its key; only changes are written",
                    "the key",
                    "without a value: the instance was deleted, or ended longer ago than `SLUICE_INSTANCE_RETENTION` (30 days); "
                            + "Kafka forgets that after `delete.retention.ms` (a day)",
                    MEMBERS),
            false);

    static final TopicContract STATISTICS = new TopicContract(
            ".statistics",
            "what the instances of each orchestration did in each window",
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
                    "a record replaces the one before of its key; facts that come late, by a day at most, change an old window",
                    "the key",
                    "never without a value",
                    MEMBERS),
            false);

    static final TopicContract STUCK = new TopicContract(
            ".stuck",
            "running instances of which nothing is heard",
            "relay with streams",
            "instance id",
            List.of(new TopicValue("all with a value", "stuck.schema.json", "since when, and after what")),
            List.of(),
            new TopicStorage(Partitions.AS_HISTORY, Cleanup.COMPACT, null, Records.BY_THE_BROKER, Map.of()),
            "else instances that are stuck are forgotten",
            new Promises(
                    "of one instance: as it happens",
                    "once each time it falls silent",
                    "the key",
                    "without a value: it moves, ended or was deleted; Kafka forgets that after `delete.retention.ms` (a day)",
                    MEMBERS),
            false);

    private StreamsTopics() {}
}
