package io.sluice.durabletask.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables of the program; the store has more, in {@link io.sluice.provider.cosmos.StoreVariable}.
 * Whatever reads, explains or documents a variable takes it from here.
 */
enum HostVariable {
    ADDRESS("address of this machine", "127.0.0.1", "where SDKs connect; other machines can only reach another one"),
    PORT("0 to 65535, 0 for any", "4001", "port for SDKs"),
    TASK_HUBS(
            "container names, with commas",
            "",
            "containers that this host serves, one task hub each, named alike; by default the one of COSMOS_CONTAINER"),
    TLS_CERTIFICATE("file, PEM", "", "certificate that clients are shown; read again when it changes"),
    TLS_KEY("file, PEM", "", "key of the certificate, PKCS #8 without password"),
    TLS_CLIENT_AUTHORITIES("file, PEM", "", "authorities of which clients must show a certificate"),
    ALLOW_PLAINTEXT(
            "true or false",
            "false",
            "whether other machines may reach this host without TLS, as behind a proxy that adds it"),
    TOKENS_FILE(
            "file, JSON",
            "",
            "who may call: [{\"token\": \"…\", \"rights\": [\"client\", \"worker\", \"admin\"], \"hubs\": [\"…\"]}]; a"
                    + " token without hubs opens all; by default everybody who reaches the port"),
    JWKS(
            "file, JSON, or URL, https",
            "",
            "keys of an identity provider whose tokens are taken as well, as a JSON Web Key Set; with"
                    + " SLUICE_HOST_JWT_ISSUER and SLUICE_HOST_JWT_AUDIENCE"),
    JWT_ISSUER("text", "", "who must have issued a token, its claim iss"),
    JWT_AUDIENCE("text", "", "for whom a token must be, its claim aud"),
    JWT_RIGHTS_CLAIM("text", "roles", "claim that names the rights client, worker and admin"),
    JWT_HUBS_CLAIM("text", "hubs", "claim that names the task hubs that a token opens; one without it opens all"),
    OPS_ADDRESS("address of this machine", "127.0.0.1", "where operators connect"),
    OPS_PORT("-1 to 65535, 0 for any, -1 for none", "8082", "port for operators: health, metrics, status"),
    TURN_DISPATCHERS("1 to 64", "4", "turns that are fetched at the same time, for each task hub"),
    ACTIVITY_DISPATCHERS("1 to 64", "4", "activities that are fetched at the same time, for each task hub"),
    DEFAULT_CREDITS(
            "1 to 10000",
            "100",
            "most turns, and most activities, that a worker has in hand if it names no limit; the SDKs for JavaScript and"
                    + " for Java 1.5 name none. A worker of Java 1.5 works on one at a time: where several of them share"
                    + " a hub, a small number divides the work better"),
    LOCK_TIMEOUT(
            "3 to 3600 s",
            "30",
            "after how long the work that a host had in hand goes to another host, when the first one has died; a"
                    + " living host renews its locks every third of this time"),
    CALL_THREADS("1 to 1000", "32", "calls that run at the same time; waiting clients and workers' streams take none"),
    MAX_MESSAGE_BYTES(
            "1048576 to 1073741824",
            "8388608",
            "largest message that is taken, decompressed, other than workers' answers"),
    MAX_ANSWER_BYTES(
            "1048576 to 1073741824", "67108864", "largest answer of a worker, decompressed, all of its parts together"),
    MESSAGES_TOTAL_BYTES(
            "0 to 2147483647, 0 for a quarter of the heap",
            "0",
            "largest sum of the messages that are taken at the same time, decompressed; not less than the largest"
                    + " message. Messages of 64 KB or less don't count"),
    MAX_WORK_ITEM_BYTES(
            "1048576 to 1073741824",
            "4194304",
            "largest work item that workers take; more only if their gRPC channels are told to take it"),
    START_REPLACES_ENDED(
            "true or false",
            "false",
            "whether a start replaces an instance of its id that has ended, when the client does not say"),
    ALLOW_EMPTYING("true or false", "false", "whether clients may delete all of a task hub's instances; for tests"),
    RELAY_TIMEOUT(
            "0 to 3600 s, 0 for no relay",
            "0",
            "for how long a purge waits for the relay that publishes these histories; 30 suits one that keeps up"),
    KAFKA_BOOTSTRAP_SERVERS(
            "host:port, with commas",
            "",
            "Kafka in which relays announce work, so that this host need not search for it; any other setting of"
                    + " Kafka's consumers likewise, such as SLUICE_HOST_KAFKA_SECURITY_PROTOCOL"),
    PREFIX(
            "prefixes of topics, with commas",
            "sluice",
            "what the relay's topics begin with (its SLUICE_PREFIX); for several task hubs one each, in their order"),
    OWN_WORK_AFTER(
            "0 to 10000 ms",
            "0",
            "how long this host waits for the announcement of what it has sent itself, such as an activity's result,"
                    + " before it looks: 250 saves a query for each turn, and makes each wait a tenth of a second");

    private static final String NAMES_BEGIN = "SLUICE_HOST_";

    private final String range;
    private final String defaultText;
    private final String sentence;

    HostVariable(String range, String defaultText, String sentence) {
        this.range = range;
        this.defaultText = defaultText;
        this.sentence = sentence;
    }

    /** Its name. */
    String variable() {
        return NAMES_BEGIN + name();
    }

    String range() {
        return range;
    }

    /** What holds where none is set; empty for nothing. */
    String defaultText() {
        return defaultText;
    }

    String sentence() {
        return sentence;
    }

    /** The text of an environment, else the default. */
    String read(Map<String, String> environment) {
        @Nullable String text = environment.get(variable());
        return text == null || text.isBlank() ? defaultText : text.strip();
    }
}
