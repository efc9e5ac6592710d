package io.sluice.relay.contract;

import io.sluice.relay.contract.TopicContract.Promises;
import io.sluice.relay.contract.TopicStorage.Cleanup;
import io.sluice.relay.contract.TopicStorage.Partitions;
import io.sluice.relay.contract.TopicStorage.Records;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** The topics by which work is announced and help is asked for; runtimes then hardly query. They hold no payloads. */
final class DispatchTopics {
    private static final Duration RETENTION = Duration.ofHours(1);
    /** Old records are removed with the segments that hold them. */
    private static final Map<String, String> SMALL_SEGMENTS = Map.of(TopicConfig.SEGMENT_MS_CONFIG, "600000");

    private static final String CHANGES =
            "fields, which may be ignored; a higher `version` means \"check the instance\"";

    static final TopicContract TURNS = new TopicContract(
            ".work.turns",
            "where messages to instances wait",
            "relay",
            "instance id",
            List.of(
                    new TopicValue(
                            "all",
                            "announcement.schema.json",
                            "messages of the instance, without their payloads, and what a start begins; without `documents`: check the instance")),
            List.of(),
            new TopicStorage(
                    Partitions.AS_CONFIGURED, Cleanup.DELETE, RETENTION, Records.BY_THE_BROKER, SMALL_SEGMENTS),
            "otherwise announcements of an instance are removed before they are read",
            new Promises(
                    "of one instance: the order of its messages in the store, but for messages that become visible later and for repeated ones",
                    "any number of times, also out of order: a record is a hint",
                    "none: the lock in the store decides",
                    "never without a value",
                    CHANGES),
            false);

    static final TopicContract ACTIVITIES = new TopicContract(
            ".work.activities",
            "where activities wait",
            "relay; runtimes copy what none of several had a free worker for",
            "id of the activity's document",
            List.of(new TopicValue("all", "announcement.schema.json", "one activity, without its payload")),
            List.of(),
            // A share group divides partitions among its members: with several, a free worker would not hear of all.
            new TopicStorage(Partitions.ONE, Cleanup.DELETE, RETENTION, Records.BY_THE_BROKER, SMALL_SEGMENTS),
            "otherwise announcements are removed before they are read",
            new Promises(
                    "none",
                    "any number of times: a record is a hint",
                    "none: the lock in the store decides",
                    "never without a value",
                    CHANGES),
            false);

    static final TopicContract HELP = new TopicContract(
            ".work.help",
            "where runtimes ask others for help with turns that wait for a dispatcher",
            "runtimes",
            "instance id",
            List.of(new TopicValue(
                    "all",
                    "announcement.schema.json",
                    "a copy of what was announced; the runtime that asks runs it as soon as it can")),
            List.of(),
            // As for activities: a free dispatcher hears of all.
            new TopicStorage(Partitions.ONE, Cleanup.DELETE, RETENTION, Records.BY_THE_BROKER, SMALL_SEGMENTS),
            "otherwise requests are removed before they are read",
            new Promises(
                    "none",
                    "any number of times: a record is a hint",
                    "none: the lock in the store decides",
                    "never without a value",
                    CHANGES),
            false);

    static final TopicContract PULSE = new TopicContract(
            ".work.pulse",
            "that each key range is announced, every two seconds; silence makes runtimes query the store",
            "relay",
            "`<min>-<max>`, the bounds of the range",
            List.of(new TopicValue("all", "pulse.schema.json", "how far the range was announced")),
            List.of(),
            // Read by every runtime at its start.
            TopicStorage.compactedSoon(Partitions.ONE),
            "otherwise a range that is not announced any more is forgotten",
            new Promises(
                    "the order in which they were sent",
                    "another one every two seconds",
                    "the key: the last record counts",
                    "never without a value",
                    "fields, with a higher `version`"),
            false);

    private DispatchTopics() {}
}
