package io.sluice.relay.config;

import static io.sluice.program.setting.SettingTypes.hostAndPort;
import static io.sluice.program.setting.SettingTypes.inSync;
import static io.sluice.program.setting.SettingTypes.millis;
import static io.sluice.program.setting.SettingTypes.oneOf;
import static io.sluice.program.setting.SettingTypes.path;
import static io.sluice.program.setting.SettingTypes.servers;
import static io.sluice.program.setting.SettingTypes.share;
import static io.sluice.program.setting.SettingTypes.text;
import static io.sluice.program.setting.SettingTypes.topicNames;
import static io.sluice.program.setting.SettingTypes.topicPrefix;
import static io.sluice.program.setting.SettingTypes.trueOrFalse;
import static io.sluice.program.setting.SettingTypes.whole;

import io.sluice.program.setting.KafkaClientSettings;
import io.sluice.program.setting.KafkaSecuritySettings;
import io.sluice.program.setting.OpsSettings;
import io.sluice.program.setting.Program;
import io.sluice.program.setting.Setting;
import io.sluice.program.setting.SettingCatalog;
import io.sluice.program.setting.SettingFamily;
import io.sluice.program.setting.Settings;
import io.sluice.program.setting.StoreSettings;
import io.sluice.provider.cosmos.Fleet;
import io.sluice.relay.topic.TransactionSupport;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Every setting of the relay, declared in the order of {@code --help}. */
public final class RelaySettings {
    public static final SettingCatalog CATALOG = new SettingCatalog();

    static final StoreSettings STORE = new StoreSettings(CATALOG);
    static final Setting<String> KAFKA_BOOTSTRAP_SERVERS = CATALOG.addRequired(
            "kafka.bootstrap.servers", servers(), "Kafka brokers to connect to first, host:port separated by commas");
    static final Setting<String> PREFIX = CATALOG.add(
            "sluice.prefix",
            topicPrefix(),
            "sluice",
            "prefix of the names of all topics, groups and transactional ids");
    static final Setting<Boolean> PROVISION_AT_START = CATALOG.add(
            "sluice.provision.at.start",
            trueOrFalse(),
            "true",
            "whether run creates missing topics; otherwise it refuses to start");
    static final Setting<Integer> TOPIC_PARTITIONS = CATALOG.add(
            "sluice.topic.partitions",
            whole(1, 1_000, "partitions"),
            "8",
            "partitions of the history and commands topics when the relay creates them");
    static final Setting<Integer> TOPIC_REPLICATION = CATALOG.add(
            "sluice.topic.replication",
            whole(-1, 10, "replicas"),
            "-1",
            "replicas of the topics when the relay creates them; -1 for the broker's default");
    static final Setting<Integer> TOPIC_MIN_INSYNC_REPLICAS = CATALOG.add(
            "sluice.topic.min.insync.replicas",
            inSync(),
            "-1",
            "min.insync.replicas of topics that the relay creates, and the least that existing topics must have; -1 leaves it to the broker");
    static final Setting<Integer> TRANSACTION_VERSION = CATALOG.add(
            "sluice.transaction.version",
            whole(0, TransactionSupport.SAFE_VERSION, ", a level of this feature"),
            String.valueOf(TransactionSupport.SAFE_VERSION),
            "lowest level of Kafka's feature transaction.version that run, check and provision accept; below 2 events can be lost or come twice, see limits.md");
    static final Setting<Integer> FEED_PAGE_SIZE = CATALOG.add(
            "sluice.feed.page.size",
            whole(1, 1_000, "documents"),
            "100",
            "most documents requested per page, fewer while nothing waits and if they are large; a transactional batch is never split");
    static final Setting<Duration> FEED_SHORTEST_INTERVAL = CATALOG.add(
            "sluice.feed.shortest.interval",
            millis(10, 60_000),
            "50",
            "pause between two reads of the feed after activity (milliseconds)");
    static final Setting<Duration> FEED_LONGEST_INTERVAL = CATALOG.add(
            "sluice.feed.longest.interval",
            millis(10, 60_000),
            "1000",
            "pause between two reads of the feed while nothing changes (milliseconds)");
    static final Setting<Boolean> DISPATCH_ENABLED = CATALOG.add(
            "sluice.dispatch.enabled",
            trueOrFalse(),
            "false",
            "whether run announces work in the topics work.turns, work.activities and work.pulse, and provision makes work.help, so that runtimes need not query for it; must be the same for all relays of a store");
    static final Setting<Duration> DISPATCH_FEED_INTERVAL = CATALOG.add(
            "sluice.dispatch.feed.interval",
            millis(10, 60_000),
            "100",
            "pause between two reads of the feed while nothing changes, if work is announced: instead of sluice.feed.longest.interval (milliseconds)");
    static final Setting<Duration> DISPATCH_LOOKAHEAD_INTERVAL = CATALOG.add(
            "sluice.dispatch.lookahead.interval",
            millis(1_000, 60_000),
            "30000",
            "pause between two lookaheads, if work is announced: queries for what becomes visible, or whose lock expires, within twice this time (milliseconds)");
    static final Setting<Integer> DELIVERY_CONCURRENCY = CATALOG.add(
            "sluice.delivery.concurrency",
            whole(1, 256, "deliveries"),
            "16",
            "number of sources drained concurrently, and of pairs of source and target delivered concurrently;"
                    + " one physical partition of the store holds a quarter of them at most, more where there are fewer than four partitions");
    static final Setting<RelayConfig.BackoffKind> DELIVERY_BACKOFF = CATALOG.add(
            "sluice.delivery.backoff",
            oneOf(RelayConfig.BackoffKind.class),
            "exponential",
            "how the wait grows from one retry of a failed or refused delivery to the next");
    static final Setting<Duration> DELIVERY_FIRST_BACKOFF = CATALOG.add(
            "sluice.delivery.first.backoff",
            millis(10, 3_600_000),
            "200",
            "wait before the first retry of an intent; at least a second when the store refused it (milliseconds)");
    static final Setting<Duration> DELIVERY_LONGEST_BACKOFF = CATALOG.add(
            "sluice.delivery.longest.backoff",
            millis(100, 3_600_000),
            "60000",
            "longest wait before a retry of an intent (milliseconds)");
    static final Setting<Integer> DELIVERY_JITTER = CATALOG.add(
            "sluice.delivery.jitter",
            whole(0, 100, "percent"),
            "50",
            "part of a wait that random jitter may take away, so that requests that failed together are not repeated together");
    static final Setting<Fleet> FLEET = CATALOG.add(
            "sluice.fleet",
            oneOf(Fleet.class),
            "sluice",
            "which runtimes use the store: mixed if Rust runtimes do too; must be the same for all providers and relays");
    static final Setting<Integer> INTENT_MAX_ATTEMPTS = CATALOG.add(
            "sluice.intent.max.attempts",
            whole(1, 1_000, "attempts"),
            "10",
            "attempts that the store refuses before an intent becomes a dead letter; an outage does not count");
    static final Setting<Duration> INTENT_MAX_AGE = CATALOG.add(
            "sluice.intent.max.age",
            millis(1_000, 6L * 24 * 3_600_000),
            String.valueOf(3L * 24 * 3_600_000),
            "older intents become dead letters; must be less than 7 days, for which receipts are kept (milliseconds)");
    static final Setting<Boolean> INTENT_ANSWER_SOURCES = CATALOG.add(
            "sluice.intent.answer.sources",
            trueOrFalse(),
            "true",
            "whether an orchestration gets an error when its sub-orchestration could not be started; otherwise it waits for ever");
    static final Setting<Duration> SWEEP_INTERVAL = CATALOG.add(
            "sluice.sweep.interval",
            millis(1_000, 3_600_000),
            "60000",
            "pause between two sweeps, which find intents that the feed no longer shows (milliseconds)");
    static final Setting<List<String>> REPLY_TOPICS = CATALOG.add(
            "sluice.reply.topics",
            topicNames(),
            "",
            "topics to which commands may request replies, separated by commas; * at the end of a name stands for any ending; by default <prefix>.replies and <prefix>.replies.*; a name that ends as one of a relay's topics (.history, .positions, ...) gets none");
    static final Setting<Duration> COMMAND_MAX_AGE = CATALOG.add(
            "sluice.command.max.age",
            millis(1_000, 6L * 24 * 3_600_000),
            String.valueOf(6L * 24 * 3_600_000),
            "older commands become dead letters; must be less than 7 days, for which receipts are kept (milliseconds)");
    static final Setting<Duration> DRAIN_TIMEOUT = CATALOG.add(
            "sluice.drain.timeout",
            millis(100, 600_000),
            "20000",
            "how long closing waits in total for work in progress (milliseconds)");
    static final Setting<Duration> START_TIMEOUT = CATALOG.add(
            "sluice.start.timeout",
            millis(0, 3_600_000),
            "120000",
            "how long run and provision retry while Cosmos or Kafka can't be reached, before they exit with 3; 0 for one attempt; while only Kafka is away, run delivers intents meanwhile (milliseconds)");
    static final Setting<Boolean> STREAMS = CATALOG.add(
            "sluice.streams",
            trueOrFalse(),
            "false",
            "whether run also derives the topics lifecycle, status, statistics and stuck from the history; run --streams-only does nothing else");
    static final Setting<String> STREAMS_STATE = CATALOG.add(
            "sluice.streams.state",
            path(),
            "sluice-streams",
            "directory for the state of this replica's streams, not shared with other replicas; lost state is restored from Kafka");
    static final Setting<Integer> STREAMS_THREADS = CATALOG.add(
            "sluice.streams.threads", whole(1, 64, "threads"), "1", "number of stream threads in this replica");
    static final Setting<Integer> STREAMS_STANDBYS = CATALOG.add(
            "sluice.streams.standbys",
            whole(0, 5, "copies"),
            "0",
            "standby copies of the streams' state in other replicas, so that a takeover needs no restore");
    static final Setting<String> STREAMS_ADVERTISED = CATALOG.add(
            "sluice.streams.advertised",
            hostAndPort(),
            "",
            "host:port by which other replicas reach this replica's HTTP port, so that each can answer for all; needed with more than one replica");
    static final Setting<String> STREAMS_AVRO_SERIALIZER = CATALOG.add(
            "sluice.streams.avro.serializer",
            text(),
            "",
            "class of a Kafka serializer of Avro records, with which the streams write their topics; without one they write JSON");
    static final Setting<String> STREAMS_AVRO_PROPERTIES = CATALOG.add(
            "sluice.streams.avro.properties",
            path(),
            "",
            "file of properties for that serializer, such as schema.registry.url");
    static final Setting<Duration> STATISTICS_WINDOW = CATALOG.add(
            "sluice.statistics.window",
            millis(1_000, 24L * 3_600_000),
            "60000",
            "length of the windows of the statistics (milliseconds)");
    static final Setting<Duration> STUCK_AFTER = CATALOG.add(
            "sluice.stuck.after",
            millis(1_000, 365L * 24 * 3_600_000),
            "3600000",
            "a running instance without an event for longer is stuck (milliseconds)");
    static final Setting<Duration> INSTANCE_RETENTION = CATALOG.add(
            "sluice.instance.retention",
            millis(0, 3_650L * 24 * 3_600_000),
            "2592000000",
            "how long status and queries keep an ended instance; then a tombstone removes it; 0 for ever (milliseconds)");
    static final OpsSettings OPS =
            OpsSettings.ofChanges(CATALOG, "sluice.ops.", -1, "health, metrics, status, dead letters");
    static final Setting<Duration> LIVENESS_TIMEOUT = CATALOG.add(
            "sluice.liveness.timeout",
            millis(1_000, 24L * 3_600_000),
            "300000",
            "how long a worker with work may give no heartbeat before /health/live fails, so that the process is restarted (milliseconds)");
    static final Setting<Integer> DEAD_LETTERS_RETRY_RATE = CATALOG.add(
            "sluice.dead.letters.retry.rate",
            whole(1, 1_000, "a second"),
            "10",
            "dead letters retried per second when many are retried at once");
    static final Setting<Integer> THROUGHPUT_LIMIT = CATALOG.add(
            "sluice.throughput.limit",
            whole(0, 10_000_000, "request units a second"),
            "0",
            "limit on the request units per second that this replica uses, so that runtimes keep their share; 0 for no limit");
    static final Setting<Double> THROUGHPUT_SHARE = CATALOG.add(
            "sluice.throughput.share",
            share(),
            "0",
            "the same limit as a share of the container's provisioned throughput, also when that changes; not together with the limit");
    static final Setting<Integer> THROUGHPUT_SCANS = CATALOG.add(
            "sluice.throughput.scans",
            whole(0, 10_000_000, "request units a second"),
            "0",
            "limit on the request units per second that sweeps, lookaheads, counts and lists of this replica use, which also have low priority in accounts with priority-based execution; 0 for no limit of their own, but a quarter of the limit or share if there is one");

    /** Those of Kafka's clients that have variables of their own. */
    static final SettingFamily SECURITY = new KafkaSecuritySettings();

    private static final Set<String> OF_THE_RELAY = Set.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            ProducerConfig.ACKS_CONFIG,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.LINGER_MS_CONFIG,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            ProducerConfig.PARTITIONER_CLASS_CONFIG,
            ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            ProducerConfig.RETRIES_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            ConsumerConfig.CHECK_CRCS_CONFIG,
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    /** All others of Kafka's clients. */
    static final SettingFamily CLIENTS = new KafkaClientSettings("sluice.kafka.", OF_THE_RELAY);

    /** The variable that names a file of settings. */
    public static final String FILE_VARIABLE = "SLUICE_CONFIG";

    public static final Program PROGRAM = new Program(
            CATALOG,
            List.of(CLIENTS, SECURITY),
            StoreSettings.OTHER_VARIABLES,
            "SLUICE_",
            List.of("SLUICE_TEST_", "SLUICE_DEMO_", "SLUICE_HOST_"),
            Set.of(FILE_VARIABLE));

    static {
        CATALOG.renamed("sluice.feed.shortest.rest", FEED_SHORTEST_INTERVAL);
        CATALOG.renamed("sluice.feed.longest.rest", FEED_LONGEST_INTERVAL);
        CATALOG.renamed("sluice.dispatch.feed.rest", DISPATCH_FEED_INTERVAL);
        CATALOG.renamed("sluice.dispatch.look.interval", DISPATCH_LOOKAHEAD_INTERVAL);
    }

    private RelaySettings() {}

    /** All settings of Kafka's clients that were set. */
    static Map<String, String> clientSettings(Settings from) {
        Map<String, String> all = new HashMap<>(from.of(SECURITY));
        all.putAll(from.of(CLIENTS));
        return all;
    }
}
