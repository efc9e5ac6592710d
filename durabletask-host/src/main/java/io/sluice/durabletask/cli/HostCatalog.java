package io.sluice.durabletask.cli;

import static io.sluice.program.setting.SettingTypes.millis;
import static io.sluice.program.setting.SettingTypes.names;
import static io.sluice.program.setting.SettingTypes.readableFile;
import static io.sluice.program.setting.SettingTypes.seconds;
import static io.sluice.program.setting.SettingTypes.servers;
import static io.sluice.program.setting.SettingTypes.text;
import static io.sluice.program.setting.SettingTypes.trueOrFalse;
import static io.sluice.program.setting.SettingTypes.whole;

import io.sluice.program.setting.KafkaClientSettings;
import io.sluice.program.setting.OpsSettings;
import io.sluice.program.setting.Program;
import io.sluice.program.setting.Setting;
import io.sluice.program.setting.SettingCatalog;
import io.sluice.program.setting.SettingFamily;
import io.sluice.program.setting.StoreSettings;
import io.sluice.provider.kafka.KafkaWorkFeed;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Every setting of the host, declared in the order of {@code --help}. */
final class HostCatalog {
    /** What the keys of its own begin with. */
    static final String OWN = "sluice.host.";

    private static final int MEGABYTE = 1 << 20;
    private static final int GIGABYTE = 1 << 30;

    static final SettingCatalog CATALOG = new SettingCatalog();

    static final Setting<String> ADDRESS = CATALOG.add(
            OWN + "address",
            text(),
            "127.0.0.1",
            "address of this machine where SDKs connect; other machines can only reach another one");
    static final Setting<Integer> PORT =
            CATALOG.add(OWN + "port", whole(0, 65_535, ", 0 for any"), "4001", "port for SDKs");
    static final Setting<List<String>> TASK_HUBS = CATALOG.add(
            OWN + "task.hubs",
            names("container names, with commas"),
            "",
            "containers that this host serves, one task hub each, named alike; by default the one of COSMOS_CONTAINER");
    static final Setting<String> TLS_CERTIFICATE = CATALOG.add(
            OWN + "tls.certificate",
            readableFile("PEM"),
            "",
            "certificate that clients are shown; read again when it changes");
    static final Setting<String> TLS_KEY =
            CATALOG.add(OWN + "tls.key", readableFile("PEM"), "", "key of the certificate, PKCS #8 without password");
    static final Setting<String> TLS_CLIENT_AUTHORITIES = CATALOG.add(
            OWN + "tls.client.authorities",
            readableFile("PEM"),
            "",
            "authorities of which clients must show a certificate");
    static final Setting<Boolean> ALLOW_PLAINTEXT = CATALOG.add(
            OWN + "allow.plaintext",
            trueOrFalse(),
            "false",
            "whether other machines may reach this host without TLS, as behind a proxy that adds it");
    static final Setting<String> TOKENS_FILE = CATALOG.add(
            OWN + "tokens.file",
            readableFile("JSON"),
            "",
            "who may call: [{\"token\": \"…\", \"rights\": [\"client\", \"worker\", \"admin\"], \"hubs\": [\"…\"]}]; a"
                    + " token without hubs opens all; by default everybody who reaches the port");
    static final Setting<String> JWKS = CATALOG.add(
            OWN + "jwks",
            new Setting.Type<>("file, JSON, or URL, https", false, text -> text),
            "",
            "keys of an identity provider whose tokens are taken as well, as a JSON Web Key Set; with"
                    + " SLUICE_HOST_JWT_ISSUER and SLUICE_HOST_JWT_AUDIENCE");
    static final Setting<String> JWT_ISSUER =
            CATALOG.add(OWN + "jwt.issuer", text(), "", "who must have issued a token, its claim iss");
    static final Setting<String> JWT_AUDIENCE =
            CATALOG.add(OWN + "jwt.audience", text(), "", "for whom a token must be, its claim aud");
    static final Setting<String> JWT_RIGHTS_CLAIM = CATALOG.add(
            OWN + "jwt.rights.claim", text(), "roles", "claim that names the rights client, worker and admin");
    static final Setting<String> JWT_HUBS_CLAIM = CATALOG.add(
            OWN + "jwt.hubs.claim",
            text(),
            "hubs",
            "claim that names the task hubs that a token opens; one without it opens all");
    static final OpsSettings OPS = OpsSettings.ofViews(CATALOG, OWN + "ops.", 8082, "health, metrics, status");
    static final Setting<Integer> TURN_DISPATCHERS = CATALOG.add(
            OWN + "turn.dispatchers",
            whole(1, 64, "dispatchers"),
            "4",
            "turns that are fetched at the same time, for each task hub");
    static final Setting<Integer> ACTIVITY_DISPATCHERS = CATALOG.add(
            OWN + "activity.dispatchers",
            whole(1, 64, "dispatchers"),
            "4",
            "activities that are fetched at the same time, for each task hub");
    static final Setting<Integer> DEFAULT_CREDITS = CATALOG.add(
            OWN + "default.credits",
            whole(1, 10_000, "work items"),
            "100",
            "most turns, and most activities, that a worker holds at once if it names no limit; the SDKs for JavaScript and"
                    + " for Java 1.5 name none. A worker of Java 1.5 works on one at a time: where several of them share"
                    + " a hub, a small number divides the work better");
    static final Setting<Duration> LOCK_TIMEOUT = CATALOG.add(
            OWN + "lock.timeout",
            seconds(3, 3_600, ""),
            "30",
            "after how long the work that a host held goes to another host, when the first one has died; a"
                    + " living host renews its locks every third of this time");
    static final Setting<Integer> CALL_THREADS = CATALOG.add(
            OWN + "call.threads",
            whole(1, 1_000, "threads"),
            "32",
            "calls that run at the same time; waiting clients and workers' streams take none");
    static final Setting<Integer> MAX_MESSAGE_BYTES = CATALOG.add(
            OWN + "max.message.bytes",
            whole(MEGABYTE, GIGABYTE, "bytes"),
            "8388608",
            "largest message that is taken, decompressed, other than workers' answers");
    static final Setting<Integer> MAX_ANSWER_BYTES = CATALOG.add(
            OWN + "max.answer.bytes",
            whole(MEGABYTE, GIGABYTE, "bytes"),
            "67108864",
            "largest answer of a worker, decompressed, all of its parts together");
    static final Setting<Integer> MESSAGES_TOTAL_BYTES = CATALOG.add(
            OWN + "messages.total.bytes",
            whole(0, Integer.MAX_VALUE, "bytes, 0 for a quarter of the heap"),
            "0",
            "largest sum of the messages that are taken at the same time, decompressed; not less than the largest"
                    + " message. Messages of 64 KB or less don't count");
    static final Setting<Integer> MAX_WORK_ITEM_BYTES = CATALOG.add(
            OWN + "max.work.item.bytes",
            whole(MEGABYTE, GIGABYTE, "bytes"),
            "4194304",
            "largest work item that workers take; more only if their gRPC channels are told to take it");
    static final Setting<Boolean> START_REPLACES_ENDED = CATALOG.add(
            OWN + "start.replaces.ended",
            trueOrFalse(),
            "false",
            "whether a start replaces an instance of its id that has ended, when the client does not say");
    static final Setting<Boolean> ALLOW_EMPTYING = CATALOG.add(
            OWN + "allow.emptying",
            trueOrFalse(),
            "false",
            "whether clients may delete all of a task hub's instances; for tests");
    static final Setting<Duration> WAITING_INTERVAL = CATALOG.add(
            OWN + "waiting.interval",
            seconds(0, 3_600, ", 0 for never"),
            "60",
            "how often all hosts of a task hub together read what waits there, for meters and status: two queries of"
                    + " each physical partition");
    static final Setting<RelayWait> RELAY_TIMEOUT = CATALOG.add(
            OWN + "relay.timeout",
            RelayWait.type(),
            "auto",
            "for how long a purge waits for the relay that publishes these histories; auto: 30 s where a relay has"
                    + " registered its prefix for the container, and not at all elsewhere");
    static final Setting<String> KAFKA_BOOTSTRAP_SERVERS = CATALOG.add(
            OWN + "kafka.bootstrap.servers",
            servers(),
            "",
            "Kafka in which relays announce work, so that this host need not search for it; any other setting of"
                    + " Kafka's consumers likewise, such as SLUICE_HOST_KAFKA_SECURITY_PROTOCOL");
    static final Setting<List<String>> PREFIX = CATALOG.add(
            OWN + "prefix",
            names("prefixes of topics, with commas"),
            "sluice",
            "what the relay's topics begin with (its SLUICE_PREFIX); for several task hubs one each, in their order");
    static final Setting<Duration> OWN_WORK_AFTER = CATALOG.add(
            OWN + "own.work.after",
            millis(0, 10_000),
            "0",
            "how long this host waits for the announcement of what it has sent itself, such as an activity's result,"
                    + " before it queries the store: 250 saves a query for each turn, and makes each wait a tenth of a second");
    static final StoreSettings STORE = new StoreSettings(CATALOG);

    /** Those of Kafka's clients. */
    static final SettingFamily KAFKA = new KafkaClientSettings(OWN + "kafka.", KafkaWorkFeed.ownClientSettings());

    /** The variable that names a file of settings. */
    static final String FILE_VARIABLE = "SLUICE_HOST_CONFIG";

    static final Program PROGRAM = new Program(
            CATALOG, List.of(KAFKA), StoreSettings.OTHER_VARIABLES, "SLUICE_HOST_", List.of(), Set.of(FILE_VARIABLE));

    private HostCatalog() {}
}
