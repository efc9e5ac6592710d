package io.sluice.relay;

import static io.sluice.relay.SettingTypes.directOrGateway;
import static io.sluice.relay.SettingTypes.hostAndPort;
import static io.sluice.relay.SettingTypes.hostNames;
import static io.sluice.relay.SettingTypes.inSync;
import static io.sluice.relay.SettingTypes.keyOrIdentity;
import static io.sluice.relay.SettingTypes.millis;
import static io.sluice.relay.SettingTypes.oneOf;
import static io.sluice.relay.SettingTypes.path;
import static io.sluice.relay.SettingTypes.secret;
import static io.sluice.relay.SettingTypes.servers;
import static io.sluice.relay.SettingTypes.share;
import static io.sluice.relay.SettingTypes.text;
import static io.sluice.relay.SettingTypes.token;
import static io.sluice.relay.SettingTypes.topicNames;
import static io.sluice.relay.SettingTypes.topicPrefix;
import static io.sluice.relay.SettingTypes.trueOrFalse;
import static io.sluice.relay.SettingTypes.url;
import static io.sluice.relay.SettingTypes.whole;

import io.sluice.provider.cosmos.Connectivity;
import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.cosmos.StoreVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Every setting of the relay, declared in the order of {@code --help}. */
final class SettingCatalog {
    private static final List<Setting<?>> DECLARED = new ArrayList<>();

    static final Setting<String> COSMOS_ENDPOINT =
            setting("cosmos.endpoint", url(), null, "URL of the Cosmos DB account");
    static final Setting<String> COSMOS_KEY = setting("cosmos.key", secret(), null, StoreVariable.KEY.sentence());
    static final Setting<Boolean> COSMOS_BY_IDENTITY = setting(
            "cosmos.auth",
            keyOrIdentity(),
            "key",
            "how to sign in to the account: key, or the default credential of azure-identity, which must then be on the class path");
    static final Setting<Connectivity.Mode> COSMOS_MODE = setting(
            "cosmos.mode",
            directOrGateway(),
            "",
            "connection mode: direct, or gateway over one port; by default gateway on loopback, otherwise direct");
    static final Setting<String> COSMOS_DATABASE =
            setting("cosmos.database", text(), "duroxide", "database that holds the container");
    static final Setting<String> COSMOS_CONTAINER =
            setting("cosmos.container", text(), "duroxide", "container that holds the orchestrations");
    static final Setting<String> COSMOS_REGIONS = ofStore(StoreVariable.REGIONS);
    static final Setting<String> COSMOS_APPLICATION = ofStore(StoreVariable.APPLICATION);
    static final Setting<String> COSMOS_OPEN_TIMEOUT = ofStore(StoreVariable.OPEN_TIMEOUT);
    static final Setting<String> COSMOS_THROUGHPUT = ofStore(StoreVariable.THROUGHPUT);
    static final Setting<String> KAFKA_BOOTSTRAP_SERVERS = setting(
            "kafka.bootstrap.servers",
            servers(),
            null,
            "Kafka brokers to connect to first, host:port separated by commas");
    static final Setting<String> PREFIX = setting(
            "sluice.prefix",
            topicPrefix(),
            "sluice",
            "prefix of the names of all topics, groups and transactional ids");
    static final Setting<Boolean> PROVISION_AT_START = setting(
            "sluice.provision.at.start",
            trueOrFalse(),
            "true",
            "whether run creates missing topics and a missing lease container; otherwise it refuses to start");
    static final Setting<Integer> TOPIC_PARTITIONS = setting(
            "sluice.topic.partitions",
            whole(1, 1_000, "partitions"),
            "8",
            "partitions of the history and commands topics when the relay creates them");
    static final Setting<Integer> TOPIC_REPLICATION = setting(
            "sluice.topic.replication",
            whole(-1, 10, "replicas"),
            "-1",
            "replicas of the topics when the relay creates them; -1 for the broker's default");
    static final Setting<Integer> TOPIC_MIN_INSYNC_REPLICAS = setting(
            "sluice.topic.min.insync.replicas",
            inSync(),
            "-1",
            "min.insync.replicas of topics that the relay creates, and the least that existing topics must have; -1 leaves it to the broker");
    static final Setting<Integer> FEED_PAGE_SIZE = setting(
            "sluice.feed.page.size",
            whole(1, 1_000, "documents"),
            "100",
            "documents requested per page; a transactional batch is never split");
    static final Setting<Duration> FEED_SHORTEST_REST = setting(
            "sluice.feed.shortest.rest",
            millis(10, 60_000),
            "50",
            "pause between two reads of the feed after activity (milliseconds)");
    static final Setting<Duration> FEED_LONGEST_REST = setting(
            "sluice.feed.longest.rest",
            millis(10, 60_000),
            "1000",
            "pause between two reads of the feed while nothing changes (milliseconds)");
    static final Setting<Boolean> DISPATCH_ENABLED = setting(
            "sluice.dispatch.enabled",
            trueOrFalse(),
            "false",
            "whether run announces work in the topics work.turns, work.activities and work.pulse, so that runtimes need not query for it; must be the same for all relays of a store");
    static final Setting<Duration> DISPATCH_FEED_REST = setting(
            "sluice.dispatch.feed.rest",
            millis(10, 60_000),
            "100",
            "pause between two reads of the feed while nothing changes, if work is announced: instead of the longest rest (milliseconds)");
    static final Setting<Duration> DISPATCH_LOOK_INTERVAL = setting(
            "sluice.dispatch.look.interval",
            millis(1_000, 60_000),
            "30000",
            "pause between two looks ahead, if work is announced: queries for what becomes visible, or whose lock expires, within twice this time (milliseconds)");
    static final Setting<Integer> DELIVERY_CONCURRENCY = setting(
            "sluice.delivery.concurrency",
            whole(1, 256, "deliveries"),
            "16",
            "number of sources drained concurrently, and of pairs of source and target delivered concurrently");
    static final Setting<RelayConfig.BackoffKind> DELIVERY_BACKOFF = setting(
            "sluice.delivery.backoff",
            oneOf(RelayConfig.BackoffKind.class),
            "exponential",
            "how the wait grows from one retry of a failed or refused delivery to the next");
    static final Setting<Duration> DELIVERY_FIRST_BACKOFF = setting(
            "sluice.delivery.first.backoff",
            millis(10, 3_600_000),
            "200",
            "wait before the first retry of an intent; at least a second when the store refused it (milliseconds)");
    static final Setting<Duration> DELIVERY_LONGEST_BACKOFF = setting(
            "sluice.delivery.longest.backoff",
            millis(100, 3_600_000),
            "60000",
            "longest wait before a retry of an intent (milliseconds)");
    static final Setting<Integer> DELIVERY_JITTER = setting(
            "sluice.delivery.jitter",
            whole(0, 100, "percent"),
            "50",
            "part of a wait that random jitter may take away, so that requests that failed together are not repeated together");
    static final Setting<Fleet> FLEET = setting(
            "sluice.fleet",
            oneOf(Fleet.class),
            "sluice",
            "which runtimes use the store: mixed if Rust runtimes do too; must be the same for all providers and relays");
    static final Setting<Integer> INTENT_MAX_ATTEMPTS = setting(
            "sluice.intent.max.attempts",
            whole(1, 1_000, "attempts"),
            "10",
            "attempts that the store refuses before an intent becomes a dead letter; an outage does not count");
    static final Setting<Duration> INTENT_MAX_AGE = setting(
            "sluice.intent.max.age",
            millis(1_000, 6L * 24 * 3_600_000),
            String.valueOf(3L * 24 * 3_600_000),
            "older intents become dead letters; must be less than 7 days, for which receipts are kept (milliseconds)");
    static final Setting<Boolean> INTENT_ANSWER_SOURCES = setting(
            "sluice.intent.answer.sources",
            trueOrFalse(),
            "true",
            "whether an orchestration gets an error when its sub-orchestration could not be started; otherwise it waits for ever");
    static final Setting<Duration> SWEEP_INTERVAL = setting(
            "sluice.sweep.interval",
            millis(1_000, 3_600_000),
            "60000",
            "pause between two sweeps, which find intents that the feed no longer shows (milliseconds)");
    static final Setting<List<String>> REPLY_TOPICS = setting(
            "sluice.reply.topics",
            topicNames(),
            "",
            "topics to which commands may request replies, separated by commas; * at the end of a name stands for any ending; by default <prefix>.replies and <prefix>.replies.*; a name that ends as one of a relay's topics (.history, .positions, ...) gets none");
    static final Setting<Duration> COMMAND_MAX_AGE = setting(
            "sluice.command.max.age",
            millis(1_000, 6L * 24 * 3_600_000),
            String.valueOf(6L * 24 * 3_600_000),
            "older commands become dead letters; must be less than 7 days, for which receipts are kept (milliseconds)");
    static final Setting<Duration> DRAIN_TIMEOUT = setting(
            "sluice.drain.timeout",
            millis(100, 600_000),
            "20000",
            "how long closing waits in total for work in progress (milliseconds)");
    static final Setting<Duration> START_TIMEOUT = setting(
            "sluice.start.timeout",
            millis(0, 3_600_000),
            "120000",
            "how long run and provision retry while Cosmos or Kafka can't be reached, before they exit with 3; 0 for one attempt (milliseconds)");
    static final Setting<Boolean> STREAMS = setting(
            "sluice.streams",
            trueOrFalse(),
            "false",
            "whether run also derives the topics lifecycle, status, statistics and stuck from the history; run --streams-only does nothing else");
    static final Setting<String> STREAMS_STATE = setting(
            "sluice.streams.state",
            path(),
            "sluice-streams",
            "directory for the state of this replica's streams, not shared with other replicas; lost state is restored from Kafka");
    static final Setting<Integer> STREAMS_THREADS =
            setting("sluice.streams.threads", whole(1, 64, "threads"), "1", "number of stream threads in this replica");
    static final Setting<Integer> STREAMS_STANDBYS = setting(
            "sluice.streams.standbys",
            whole(0, 5, "copies"),
            "0",
            "standby copies of the streams' state in other replicas, so that a takeover needs no restore");
    static final Setting<String> STREAMS_ADVERTISED = setting(
            "sluice.streams.advertised",
            hostAndPort(),
            "",
            "host:port by which other replicas reach this replica's HTTP port, so that each can answer for all; needed with more than one replica");
    static final Setting<String> STREAMS_AVRO_SERIALIZER = setting(
            "sluice.streams.avro.serializer",
            text(),
            "",
            "class of a Kafka serializer of Avro records, with which the streams write their topics; without one they write JSON");
    static final Setting<String> STREAMS_AVRO_PROPERTIES = setting(
            "sluice.streams.avro.properties",
            path(),
            "",
            "file of properties for that serializer, such as schema.registry.url");
    static final Setting<Duration> STATISTICS_WINDOW = setting(
            "sluice.statistics.window",
            millis(1_000, 24L * 3_600_000),
            "60000",
            "length of the windows of the statistics (milliseconds)");
    static final Setting<Duration> STUCK_AFTER = setting(
            "sluice.stuck.after",
            millis(1_000, 365L * 24 * 3_600_000),
            "3600000",
            "a running instance without an event for longer is stuck (milliseconds)");
    static final Setting<Duration> INSTANCE_RETENTION = setting(
            "sluice.instance.retention",
            millis(0, 3_650L * 24 * 3_600_000),
            "2592000000",
            "how long status and queries keep an ended instance; then a tombstone removes it; 0 for ever (milliseconds)");
    static final Setting<Integer> OPS_PORT = setting(
            "sluice.ops.port",
            whole(-1, 65_535, "port"),
            "-1",
            "port for operators: health, metrics, status, dead letters; 0 for any free port, -1 for none");
    static final Setting<String> OPS_HOST = setting(
            "sluice.ops.host",
            text(),
            "127.0.0.1",
            "host name or address of that port; a token is required if other machines can reach it");
    static final Setting<List<String>> OPS_NAMES = setting(
            "sluice.ops.names",
            hostNames(),
            "",
            "DNS names by which clients call that port, separated by commas; .domain stands for all names below it; addresses and names without a dot are always allowed");
    static final Setting<String> OPS_TOKEN = setting(
            "sluice.ops.token",
            token(),
            "",
            "bearer token (Authorization: Bearer) for HTTP calls that change something; without a token all of them are refused");
    static final Setting<String> OPS_TOKEN_FILE = setting(
            "sluice.ops.token.file", text(), "", "file that contains the token; an alternative to the token itself");
    static final Setting<Duration> LIVENESS_TIMEOUT = setting(
            "sluice.liveness.timeout",
            millis(1_000, 24L * 3_600_000),
            "300000",
            "how long a worker with work may give no heartbeat before /health/live fails, so that the process is restarted (milliseconds)");
    static final Setting<Integer> DEAD_LETTERS_RETRY_RATE = setting(
            "sluice.dead.letters.retry.rate",
            whole(1, 1_000, "a second"),
            "10",
            "dead letters retried per second when many are retried at once");
    static final Setting<Integer> THROUGHPUT_LIMIT = setting(
            "sluice.throughput.limit",
            whole(0, 10_000_000, "request units a second"),
            "0",
            "limit on the request units per second that this replica uses, so that runtimes keep their share; 0 for no limit");
    static final Setting<Double> THROUGHPUT_SHARE = setting(
            "sluice.throughput.share",
            share(),
            "0",
            "the same limit as a share of the container's provisioned throughput, also when that changes; not together with the limit");

    private SettingCatalog() {}

    private static <T> Setting<T> setting(
            String key, Setting.Type<T> type, @Nullable String defaultText, String sentence) {
        var setting = new Setting<>(key, type, defaultText, sentence);
        DECLARED.add(setting);
        return setting;
    }

    /** All settings, in the order of {@code --help}. */
    static List<Setting<?>> all() {
        return List.copyOf(DECLARED);
    }

    /** A setting that the provider reads and checks. */
    private static Setting<String> ofStore(StoreVariable variable) {
        return setting(
                variable.variable().toLowerCase(Locale.ROOT).replace('_', '.'),
                new Setting.Type<>(variable.range(), false, text -> text),
                variable.defaultText(),
                variable.sentence());
    }
}
