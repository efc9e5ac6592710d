package io.sluice.relay.contract;

import static io.sluice.relay.contract.TopicHeader.always;
import static io.sluice.relay.contract.TopicHeader.when;

import io.sluice.provider.outbox.DispatchMetadata;
import io.sluice.relay.contract.TopicContract.Promises;
import io.sluice.relay.contract.TopicHeader.Form;
import io.sluice.relay.contract.TopicStorage.Cleanup;
import io.sluice.relay.contract.TopicStorage.Partitions;
import io.sluice.relay.contract.TopicStorage.Records;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** The topics that every relay needs, and the topics that it writes on request. */
final class CoreTopics {
    private static final List<TopicValue> HISTORY_VALUES = List.of(
            new TopicValue(
                    "`ce_type` `io.sluice.history.<EventType>`",
                    "history.schema.json",
                    "the event as the runtime wrote it, byte for byte"),
            new TopicValue(
                    "`ce_type` `io.sluice.history.unknown`",
                    null,
                    "an event that this relay can't parse, byte for byte as it is stored; it need not be JSON"),
            new TopicValue(
                    "`ce_type` `io.sluice.instance.deleted`",
                    "instance-deleted.schema.json",
                    "the instance and its history were removed"));

    private static final List<TopicHeader> HISTORY_HEADERS =
            Headers.all(Headers.CLOUD_EVENT, Headers.TRACE, Headers.dispatch("the record is an event, no deletion"));

    static final TopicContract HISTORY = new TopicContract(
            ".history",
            "every event of every instance",
            "relay",
            "instance id",
            HISTORY_VALUES,
            HISTORY_HEADERS,
            new TopicStorage(Partitions.AS_CONFIGURED, Cleanup.DELETE, null, Records.LARGE, Map.of()),
            "otherwise all but the last event of an instance is removed",
            new Promises(
                    "of one instance: the order of its events, over all executions and lives",
                    "each event once, under `read_committed`",
                    "`ce_id` `<instance>:<execution>:<event>:<event's time in ms>`; of a deletion `<instance>:deleted:<deletion>`",
                    "never without a value. A deletion is the last record of a life, written once, if the provider is configured with a relay; an instance with the same id may begin another life",
                    "fields of events, as runtimes write them; new event types"),
            true);

    static final TopicContract COMMANDS = new TopicContract(
            ".commands",
            "commands to orchestrations",
            "you",
            "instance id; commands with the same key stay in order",
            List.of(new TopicValue("all", "command.schema.json", "a command")),
            Headers.all(
                    List.of(
                            when(
                                    "ce_id",
                                    Form.TEXT,
                                    "you choose",
                                    "the command's id; a command with the same id and `ce_source` is queued once, also if it is sent again within seven days; a command with other content under the same id is a dead letter"),
                            when(
                                    "ce_source",
                                    Form.TEXT,
                                    "you choose",
                                    "the sender; a `ce_id` is unique within its sender"),
                            when(
                                    "command-id",
                                    Form.TEXT,
                                    "there is no `ce_id`",
                                    "the command's id; without either header it is `<topic>:<Kafka's id of the topic>:<partition>-<offset>`"),
                            when(
                                    "reply-topic",
                                    Form.TEXT,
                                    "you want a reply",
                                    "the topic of the reply; it must be allowed (`SLUICE_REPLY_TOPICS`, by default `<prefix>.replies` and `<prefix>.replies.*`), exist and be writable for the relay, and must be neither an internal topic of Kafka nor end as the name of a relay's topic does (`.history`, `.positions`, …), whatever its beginning"),
                            when("correlation-id", Form.TEXT, "you choose", "returned with the reply"),
                            when(
                                    DispatchMetadata.DEADLINE,
                                    Form.MILLIS,
                                    "you choose",
                                    "from this time on the command is refused instead of queued"),
                            when(
                                    "sluice-resent-from",
                                    Form.TEXT,
                                    "an operator sent it again",
                                    "the position of its dead letter: `<Kafka's id of the topic>-<partition>-<offset>`. With this header the command counts as a new one, although its id was refused before")),
                    List.of(
                            when(
                                    "traceparent",
                                    Form.TRACEPARENT,
                                    "you choose",
                                    "passed on with the message and the reply"),
                            when("tracestate", Form.TEXT, "you choose", "passed on with the message"))),
            new TopicStorage(Partitions.AS_CONFIGURED, Cleanup.DELETE, null, Records.MADE_LARGE, Map.of()),
            "otherwise all but the last command of an instance is removed, processed or not",
            new Promises(
                    "of one instance: the order of the log, one after the other",
                    "a command is settled once per id, however often it is sent within seven days",
                    "the command's id",
                    "a record without a value is an invalid command and becomes a dead letter",
                    "types of commands; fields (a relay ignores fields that it does not know)"),
            false);

    static final TopicContract PARKED_COMMANDS = new TopicContract(
            ".commands.parked",
            "commands that the instance's part of the store does not take now, and later ones of the same instance",
            "relay, for itself: reading it is safe, writing to it is not",
            "the command's place: `<Kafka's id of the topic>/<partition>-<offset>`",
            List.of(new TopicValue(
                    "all",
                    null,
                    "the command's own value; the record has the command's own headers before those listed here")),
            List.of(
                    when("sluice-key", Form.TEXT, "the command has a key", "the command's own key"),
                    when("sluice-topic-id", Form.TEXT, "it has a value", "Kafka's id of the commands topic"),
                    when(
                            "sluice-offset",
                            Form.NUMBER,
                            "it has a value",
                            "where the command is; its partition is the same"),
                    when("sluice-timestamp", Form.MILLIS, "it has a value", "its record's time"),
                    when(
                            "sluice-earlier",
                            Form.TRUE_OR_FALSE,
                            "it has a value",
                            "whether an earlier version of the relay may have settled it"),
                    when("sluice-keyed", Form.TRUE_OR_FALSE, "it has a value", "whether the command has a key")),
            // Read at every takeover.
            TopicStorage.compactedSoon(Partitions.AS_COMMANDS).large(),
            "otherwise parked commands are deleted before they are queued",
            new Promises(
                    "of one instance: the order of its commands in the log",
                    "in one transaction with the offset of the command; the removal in one with its dead letter, after its reply",
                    "the key",
                    "without a value when the command was queued or refused",
                    "anything: this topic is not a public interface"),
            false);

    static final TopicContract DEAD_LETTERS = new TopicContract(
            ".dead-letters",
            "commands and intents that were refused permanently, with the reason",
            "relay",
            "the command's own key, which may be missing, also if the command was sent again; for an intent the target instance",
            List.of(
                    new TopicValue(
                            "`sluice-kind` `command`",
                            null,
                            "the command's own value, which may be missing; truncated if `sluice-value-bytes` is present"),
                    new TopicValue(
                            "`sluice-kind` `intent`",
                            "dead-letter-intent.schema.json",
                            "the document that could not be delivered, byte for byte; if its writer did not follow the format, it may be anything"),
                    new TopicValue(
                            "`sluice-kind` `resent`",
                            null,
                            "`{\"resentFrom\": …}`, the same as the header `sluice-resent-from`")),
            deadLetterHeaders(),
            new TopicStorage(Partitions.AS_CONFIGURED, Cleanup.DELETE, null, Records.LARGE, Map.of()),
            "otherwise all but the last dead letter of a key is removed",
            new Promises(
                    "commands of one partition: the order of the log; intents: none",
                    "commands: once, in one transaction with the offset; a `resent` record: once, with the command. Intents: at least once, a crash repeats one with the same `sluice-id`",
                    "`sluice-command-id` and `sluice-offset`; of an intent `sluice-id`; of a `resent` record `sluice-resent-from`",
                    "no record is a tombstone: a record without a value is a command that had none",
                    "kinds (`sluice-kind`); headers that begin with `sluice-`"),
            false);

    static final TopicContract POSITIONS = new TopicContract(
            ".positions",
            "the position in the feed of each key range",
            "relay, for itself: reading it is safe, writing to it is not",
            "`<min>-<max>`, the bounds of the range",
            List.of(new TopicValue("all", "position.schema.json", "the position after the latest page")),
            List.of(),
            // Read at every takeover.
            TopicStorage.compactedSoon(Partitions.RANGES),
            "otherwise positions are deleted, and no relay starts",
            new Promises(
                    "a range has its partition by the hash of its key; the owner of a partition publishes its ranges",
                    "in one transaction with the events before it; when a range is split, in one with the first of its parts",
                    "the key: the last record counts",
                    "never without a value",
                    "anything, with a higher `schemaVersion`: this topic is not a public interface"),
            false);

    static final TopicContract RELAYS = new TopicContract(
            ".relays",
            "that each replica lives, twice a second, and whose new intents it looks for",
            "relay, for itself: reading it is safe, writing to it is not",
            "the replica's name, and an id of its start",
            List.of(new TopicValue("all", "relay.schema.json", "the ranges that the replica looks after")),
            List.of(),
            new TopicStorage(
                    Partitions.ONE,
                    Cleanup.DELETE,
                    Duration.ofHours(1),
                    Records.BY_THE_BROKER,
                    Map.of(TopicConfig.SEGMENT_MS_CONFIG, "600000")),
            "otherwise pulses that nobody reads any more are kept for ever",
            new Promises(
                    "of one replica: its pulses",
                    "none: who hears of a replica for two seconds less than of itself takes it for dead, and sweeps its ranges until another has them",
                    "none",
                    "never without a value. The last pulse of a replica that closes names no ranges",
                    "anything, with a higher `schemaVersion`: this topic is not a public interface"),
            false);

    static final TopicContract REPLIES = new TopicContract(
            null,
            "the result of a command, in the topic that its header `reply-topic` names",
            "relay",
            "instance id; for a command that could not be parsed its own key, or its id if it has no key",
            List.of(new TopicValue("all", "reply.schema.json", "a reply")),
            List.of(
                    always("command-id", Form.TEXT, "the command's id"),
                    when(
                            "correlation-id",
                            Form.TEXT,
                            "the command had it, with at most 4 096 bytes",
                            "the command's value"),
                    when(
                            "traceparent",
                            Form.TEXT,
                            "the command had it, with at most 4 096 bytes",
                            "the command's value")),
            new TopicStorage(Partitions.OF_ITS_MAKER, Cleanup.DELETE, null, Records.BY_THE_BROKER, Map.of()),
            null,
            new Promises(
                    "of one instance: the order of its commands in the log",
                    "once per record of the commands topic, before its offset is committed: a crash in between repeats replies with the same content, and a command that was sent twice gets two replies. No reply if the topic refuses it or does not accept it within 5 s: it is counted, and further commands are processed",
                    "`command-id`",
                    "never without a value",
                    "values of `status`"),
            false);

    static final TopicContract REPLAY = new TopicContract(
            ".replay",
            "history published again by the command `replay`, in this topic or the one that `--to` names",
            "relay, on request",
            "instance id",
            HISTORY_VALUES,
            HISTORY_HEADERS,
            new TopicStorage(Partitions.AS_CONFIGURED, Cleanup.DELETE, null, Records.LARGE, Map.of()),
            null,
            new Promises(
                    "of one instance and one run of `replay`: the order of its events",
                    "once per replay, in addition to `history`",
                    "`ce_id`, the same as in `history`",
                    "as in `history`",
                    "as in `history`"),
            true);

    private CoreTopics() {}

    private static List<TopicHeader> deadLetterHeaders() {
        var intent = "kind `intent`";
        return Headers.all(
                deadCommandHeaders("kind `command`"),
                deadIntentHeaders(intent),
                Headers.dispatch(intent),
                List.of(
                        when(
                                DispatchMetadata.DEADLINE,
                                Form.MILLIS,
                                "the intent or the command had one",
                                "from this time on it was not to be executed"),
                        when(
                                DispatchMetadata.PARENT_ITEM_ID,
                                Form.TEXT,
                                "an intent whose turn consumed a message",
                                "id of the first message that the turn consumed")));
    }

    private static List<TopicHeader> deadCommandHeaders(String command) {
        return List.of(
                always(
                        "sluice-kind",
                        Form.TEXT,
                        "`command`, `intent`, or `resent` (an operator sent a command of this partition again)"),
                always("sluice-reason", Form.TEXT, "why, in words"),
                when("sluice-command-id", Form.TEXT, "kind `command` or `resent`", "its id"),
                when(
                        "sluice-resent-from",
                        Form.TEXT,
                        "kind `resent`, and a command that was sent again and refused again",
                        "the position of the dead letter that was sent again: `<Kafka's id of the topic>-<partition>-<offset>`"),
                when("sluice-topic", Form.TEXT, command, "where the command was"),
                when("sluice-partition", Form.NUMBER, command, "where the command was"),
                when("sluice-offset", Form.NUMBER, command, "where the command was"),
                when("sluice-timestamp", Form.MILLIS, command, "its record's time"),
                when(
                        "sluice-value-bytes",
                        Form.NUMBER,
                        "the command is too large for a dead letter",
                        "number of bytes before its value was truncated"),
                when(
                        "sluice-key-bytes",
                        Form.NUMBER,
                        "the command's key takes most of a dead letter",
                        "number of bytes of the key, which is left out"),
                when(
                        "sluice-headers-bytes",
                        Form.NUMBER,
                        "the command's own headers take most of a dead letter",
                        "number of bytes of these headers, which are left out"));
    }

    private static List<TopicHeader> deadIntentHeaders(String intent) {
        return List.of(
                when("sluice-id", Form.TEXT, intent, "its key and the number of retries by an operator"),
                when(
                        "sluice-outcome",
                        Form.TEXT,
                        intent,
                        "`refused`: it was not and will not be delivered; `unknown`: whether it was delivered can't be known any more"),
                when(
                        "sluice-answered",
                        Form.TRUE_OR_FALSE,
                        intent,
                        "whether its source got an error; then it can't be retried"),
                when("sluice-source", Form.TEXT, intent, "the instance that sent it"),
                when("sluice-target", Form.TEXT, intent, "the instance it was for"),
                when("sluice-attempts", Form.NUMBER, intent, "attempts that the store refused"),
                when("sluice-created-at", Form.MILLIS, intent, "when its turn was acked"),
                when("sluice-failed-at", Form.MILLIS, intent, "when it was given up"),
                when("sluice-first-error", Form.TEXT, "an intent that was tried", "the first error of the store"),
                when("sluice-last-error", Form.TEXT, "an intent that was tried", "the latest error of the store"),
                when("sluice-state", Form.TEXT, intent, "`FAILED_FINAL`"));
    }
}
