package io.sluice.relay.contract;

import static io.sluice.relay.contract.TopicHeader.always;
import static io.sluice.relay.contract.TopicHeader.when;

import io.sluice.provider.outbox.DispatchMetadata;
import io.sluice.relay.contract.TopicContract.Promises;
import io.sluice.relay.contract.TopicHeader.Form;
import io.sluice.relay.contract.TopicStorage.Cleanup;
import io.sluice.relay.contract.TopicStorage.Partitions;
import io.sluice.relay.contract.TopicStorage.Records;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** The topics a relay can't be without, and those it writes to when it is asked. */
final class CoreTopics {
    private static final List<TopicValue> HISTORY_VALUES = List.of(
            new TopicValue(
                    "`ce_type` `io.sluice.history.<EventType>`",
                    "history.schema.json",
                    "the event as the runtime wrote it, byte for byte"),
            new TopicValue(
                    "`ce_type` `io.sluice.history.unknown`",
                    null,
                    "what is stored in place of an event this relay understands, byte for byte; it need not be JSON"),
            new TopicValue(
                    "`ce_type` `io.sluice.instance.deleted`",
                    "instance-deleted.schema.json",
                    "that the instance and its history were removed"));

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
            "else all but the last event of an instance is removed",
            new Promises(
                    "of one instance: as its events happened, over all executions and lives",
                    "each event once, under `read_committed`",
                    "`ce_id` `<instance>:<execution>:<event>:<event's time in ms>`; of a deletion `<instance>:deleted:<deletion>`",
                    "never without a value. A deletion is the last record of a life, once, when the provider expects a relay; an instance of the same id may begin another",
                    "fields of events, as runtimes write them; new event types"),
            true);

    static final TopicContract COMMANDS = new TopicContract(
            ".commands",
            "what orchestrations are asked to do",
            "you",
            "instance id; it decides with whose commands a command stays in order",
            List.of(new TopicValue("all", "command.schema.json", "a command")),
            Headers.all(
                    List.of(
                            when(
                                    "ce_id",
                                    Form.TEXT,
                                    "you choose",
                                    "the command's id; the same id of the same `ce_source` is queued once, also when it comes again within seven days; a command of other content under it is a dead letter"),
                            when("ce_source", Form.TEXT, "you choose", "of whom a `ce_id` is"),
                            when(
                                    "command-id",
                                    Form.TEXT,
                                    "there is no `ce_id`",
                                    "the command's id; without either it is `<topic>:<Kafka's id of the topic>:<partition>-<offset>`"),
                            when(
                                    "reply-topic",
                                    Form.TEXT,
                                    "you want a reply",
                                    "where to; a topic that the relay may reply to (`SLUICE_REPLY_TOPICS`, by default `<prefix>.*`), that is there and lets the relay write, none of the relay's and none of Kafka's own"),
                            when("correlation-id", Form.TEXT, "you choose", "handed back with the reply"),
                            when(
                                    DispatchMetadata.DEADLINE,
                                    Form.MILLIS,
                                    "you choose",
                                    "from then on the command is refused rather than queued"),
                            when(
                                    "sluice-resent-from",
                                    Form.TEXT,
                                    "an operator sent it again",
                                    "the place of its dead letter: `<Kafka's id of the topic>-<partition>-<offset>`. It makes the command another one under its id, which had been refused")),
                    List.of(
                            when("traceparent", Form.TRACEPARENT, "you choose", "goes with the message and the reply"),
                            when("tracestate", Form.TEXT, "you choose", "goes with the message"))),
            new TopicStorage(Partitions.AS_CONFIGURED, Cleanup.DELETE, null, Records.MADE_LARGE, Map.of()),
            "else all but the last command of an instance is removed, taken or not",
            new Promises(
                    "of one instance: as in the log, one after the other",
                    "a command is settled once by its id, however often it is sent within seven days",
                    "the command's id",
                    "a record without a value is a bad command: a dead letter",
                    "types of commands; fields (those that a relay does not know it ignores)"),
            false);

    static final TopicContract DEAD_LETTERS = new TopicContract(
            ".dead-letters",
            "what was refused for good, with its reason",
            "relay",
            "the command's key as it was, also none, also where it was sent again; of an intent the target instance",
            List.of(
                    new TopicValue(
                            "`sluice-kind` `command`",
                            null,
                            "the command's value as it was, also none; cut where `sluice-value-bytes` says so"),
                    new TopicValue(
                            "`sluice-kind` `intent`",
                            "dead-letter-intent.schema.json",
                            "the document that could not be delivered, byte for byte; one of a writer that keeps no rules may be anything"),
                    new TopicValue(
                            "`sluice-kind` `resent`",
                            null,
                            "`{\"resentFrom\": …}`, as the header `sluice-resent-from` says it")),
            deadLetterHeaders(),
            new TopicStorage(Partitions.AS_CONFIGURED, Cleanup.DELETE, null, Records.LARGE, Map.of()),
            "else all but the last dead letter of a key is removed",
            new Promises(
                    "commands of one partition: as in the log; intents: none",
                    "commands: once, with the offset; that one was sent again: once, with the command. Intents: at least once, a crash repeats one under its `sluice-id`",
                    "`sluice-command-id` and `sluice-offset`; of an intent `sluice-id`; that a command was sent again: `sluice-resent-from`",
                    "no record is a tombstone: one without a value is a command that had none",
                    "kinds (`sluice-kind`); headers that begin with `sluice-`"),
            false);

    static final TopicContract POSITIONS = new TopicContract(
            ".positions",
            "how far each key range was read",
            "relay, for itself: read it to look, never write to it",
            "`range-<n>`",
            List.of(new TopicValue("all", "position.schema.json", "the position after the latest page")),
            List.of(),
            new TopicStorage(
                    Partitions.RANGES,
                    Cleanup.COMPACT,
                    null,
                    Records.BY_THE_BROKER,
                    // Read back at every take-over: small segments that are cleaned soon keep that short.
                    Map.of(
                            TopicConfig.SEGMENT_MS_CONFIG,
                            "600000",
                            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                            "0.1")),
            "else positions are deleted, and no relay starts",
            new Promises(
                    "partition n holds range n",
                    "in one transaction with the events before it",
                    "the partition: the last record counts",
                    "never without a value",
                    "anything, under a higher `schemaVersion`: this is no interface"),
            false);

    static final TopicContract REPLIES = new TopicContract(
            null,
            "how a command ended, to the topic its `reply-topic` names",
            "relay",
            "instance id; of a command that could not be read its own key, else its id",
            List.of(new TopicValue("all", "reply.schema.json", "a reply")),
            List.of(
                    always("command-id", Form.TEXT, "of the command"),
                    when("correlation-id", Form.TEXT, "the command had it, of 4 096 bytes at most", "as it came"),
                    when("traceparent", Form.TEXT, "the command had it, of 4 096 bytes at most", "as it came")),
            new TopicStorage(Partitions.OF_ITS_MAKER, Cleanup.DELETE, null, Records.BY_THE_BROKER, Map.of()),
            null,
            new Promises(
                    "of one instance: as its commands in the log",
                    "once per record of the commands topic, before its offset is committed: a crash in between repeats replies, which say the same, and a command that was sent twice is answered twice. None where the topic refuses it, or takes none within 5 s: it is counted, and commands go on",
                    "`command-id`",
                    "never without a value",
                    "values of `status`"),
            false);

    static final TopicContract REPLAY = new TopicContract(
            ".replay",
            "history once more, by the verb `replay`, here or to the topic that `--to` names",
            "relay, when told",
            "instance id",
            HISTORY_VALUES,
            HISTORY_HEADERS,
            new TopicStorage(Partitions.AS_CONFIGURED, Cleanup.DELETE, null, Records.LARGE, Map.of()),
            null,
            new Promises(
                    "of one instance and one run of `replay`: as its events happened",
                    "as often as it is replayed, and beside `history`",
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
                                "from then on it was not to be executed"),
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
                        "`command`, `intent`, or `resent`: an operator sent a command of this partition again"),
                always("sluice-reason", Form.TEXT, "why, in words"),
                when("sluice-command-id", Form.TEXT, "kind `command` or `resent`", "its id"),
                when(
                        "sluice-resent-from",
                        Form.TEXT,
                        "kind `resent`, and a command that was sent again and refused again",
                        "the place of the dead letter that was sent again: `<Kafka's id of the topic>-<partition>-<offset>`"),
                when("sluice-topic", Form.TEXT, command, "where it stood"),
                when("sluice-partition", Form.NUMBER, command, "where it stood"),
                when("sluice-offset", Form.NUMBER, command, "where it stood"),
                when("sluice-timestamp", Form.MILLIS, command, "its record's time"),
                when(
                        "sluice-value-bytes",
                        Form.NUMBER,
                        "a command too large for a dead letter",
                        "its value is cut: how many bytes it had"),
                when(
                        "sluice-key-bytes",
                        Form.NUMBER,
                        "the command's key takes most of a dead letter",
                        "it is left out: how many bytes it had"),
                when(
                        "sluice-headers-bytes",
                        Form.NUMBER,
                        "the command's own headers take most of a dead letter",
                        "they are left out: how many bytes they had"));
    }

    private static List<TopicHeader> deadIntentHeaders(String intent) {
        return List.of(
                when("sluice-id", Form.TEXT, intent, "its key and how often it was taken up again by hand"),
                when(
                        "sluice-outcome",
                        Form.TEXT,
                        intent,
                        "`refused`: it was not and will not be delivered; `unknown`: nobody can tell any more"),
                when(
                        "sluice-answered",
                        Form.TRUE_OR_FALSE,
                        intent,
                        "whether its source was told; then it can't be retried"),
                when("sluice-source", Form.TEXT, intent, "the instance that sent it"),
                when("sluice-target", Form.TEXT, intent, "the instance it was for"),
                when("sluice-attempts", Form.NUMBER, intent, "tries that the store refused"),
                when("sluice-created-at", Form.MILLIS, intent, "when its turn was acked"),
                when("sluice-failed-at", Form.MILLIS, intent, "when it was given up"),
                when("sluice-first-error", Form.TEXT, "an intent that was tried", "what the store said first"),
                when("sluice-last-error", Form.TEXT, "an intent that was tried", "what it said last"),
                when("sluice-state", Form.TEXT, intent, "`FAILED_FINAL`"));
    }
}
