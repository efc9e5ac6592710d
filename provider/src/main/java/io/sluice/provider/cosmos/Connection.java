package io.sluice.provider.cosmos;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosBridgeInternal;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.implementation.DatabaseAccount;
import com.azure.cosmos.models.CosmosContainerResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.request.Failures;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Makes the SDK's client and turns what can go wrong on the way into errors a person can act on: within seconds where
 * nobody listens.
 */
final class Connection {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    /** An answer to a handshake comes at once, or says nothing. */
    private static final Duration SCHEME_TIMEOUT = Duration.ofSeconds(1);

    private static final String HTTPS = "https:";
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    /** Beside 404, of the client library, which sent nothing: it knows no partitions of the container. */
    private static final int NO_ROUTING_MAP = 1024;

    private Connection() {}

    /** A connected client of an account with one write region. */
    static CosmosAsyncClient connect(String operation, CosmosStoreConfig config) {
        checkReachable(operation, config);
        checkScheme(operation, config);
        CosmosAsyncClient client = built(operation, config);
        try {
            checkOneWriteRegion(operation, config, client);
            return client;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private static CosmosAsyncClient built(String operation, CosmosStoreConfig config) {
        CompletableFuture<CosmosAsyncClient> building =
                CompletableFuture.supplyAsync(() -> config.clientBuilder().buildAsyncClient(), Connection::begin);
        try {
            return bounded(operation, config, "reading the account", building.copy());
        } catch (ProviderException e) {
            // It can't be called off, and has threads of its own once it is there.
            var unused = building.thenAccept(CosmosAsyncClient::close);
            throw e;
        }
    }

    /**
     * On a thread of its own: those that are shared are few, and a client that waits for its account would hold one for
     * minutes.
     */
    private static void begin(Runnable task) {
        Thread thread = new Thread(task, "sluice-open-store");
        thread.setDaemon(true);
        thread.start();
    }

    /** The SDK keeps trying an address nobody listens on for minutes; a plain connection fails at once. */
    private static void checkReachable(String operation, CosmosStoreConfig config) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(config.host(), config.port()), (int) CONNECT_TIMEOUT.toMillis());
        } catch (IOException e) {
            throw ProviderException.retryable(
                    operation,
                    "no connection to " + config.host() + ":" + config.port() + " within " + CONNECT_TIMEOUT.toSeconds()
                            + " s (" + e.getMessage() + "); check COSMOS_ENDPOINT, which is " + config.endpoint()
                            + ", and that the account or emulator is up",
                    e);
        }
    }

    /** The SDK would ask for minutes, with pages of log, where one side speaks TLS and the other does not. */
    private static void checkScheme(String operation, CosmosStoreConfig config) {
        boolean saysTls = config.endpoint().regionMatches(true, 0, HTTPS, 0, HTTPS.length());
        TlsProbe.Answer port = TlsProbe.ask(config.host(), config.port(), SCHEME_TIMEOUT);
        if (saysTls && port == TlsProbe.Answer.PLAIN) {
            throw ProviderException.permanent(
                    operation,
                    "COSMOS_ENDPOINT is " + config.endpoint() + ", but " + config.host() + ":" + config.port()
                            + " speaks no TLS: write http:// if it is an emulator's, or name the port that does");
        }
        if (!saysTls && port == TlsProbe.Answer.TLS) {
            throw ProviderException.permanent(
                    operation,
                    "COSMOS_ENDPOINT is " + config.endpoint() + ", but " + config.host() + ":" + config.port()
                            + " speaks TLS: write https://");
        }
    }

    private static void checkOneWriteRegion(String operation, CosmosStoreConfig config, CosmosAsyncClient client) {
        // The client has read the account when it was built.
        DatabaseAccount account = CosmosBridgeInternal.getAsyncDocumentClient(client)
                .getGlobalEndpointManager()
                .getLatestDatabaseAccount();
        if (account == null) {
            throw unreachable(operation, config, null);
        }
        long regions = 0;
        for (var ignored : account.getWritableLocations()) {
            regions++;
        }
        if (account.getEnableMultipleWriteLocations() || regions > 1) {
            throw ProviderException.permanent(
                    operation,
                    "the account at " + config.endpoint()
                            + " has several write regions, where If-Match is no lock and turns could be run twice;"
                            + " switch multi-region writes off or use another account");
        }
    }

    static CosmosContainerResponse container(String operation, CosmosStoreConfig config, CosmosAsyncClient client) {
        return answer(
                operation,
                config,
                "reading the container",
                client.getDatabase(config.database())
                        .getContainer(config.container())
                        .read());
    }

    /** The document with this id, in a partition of the same name. */
    static Optional<ObjectNode> document(
            String operation, CosmosStoreConfig config, CosmosAsyncClient client, String id) {
        Mono<Optional<ObjectNode>> read = client.getDatabase(config.database())
                .getContainer(config.container())
                .readItem(id, new PartitionKey(id), ObjectNode.class)
                .map(answer -> Optional.of(answer.getItem()));
        return answer(
                operation,
                config,
                "reading the store's version",
                read.onErrorResume(
                        CosmosException.class,
                        e -> e.getStatusCode() == NOT_FOUND && e.getSubStatusCode() != NO_ROUTING_MAP
                                ? Mono.just(Optional.empty())
                                : Mono.error(e)));
    }

    static void create(String operation, CosmosStoreConfig config, CosmosAsyncClient client) {
        answer(
                operation,
                config,
                "creating the database",
                orExisting(client.createDatabaseIfNotExists(config.database())));
        var database = client.getDatabase(config.database());
        var definition = ContainerDefinition.of(config.container());
        var throughput = config.throughput().properties();
        answer(
                operation,
                config,
                "creating the container",
                orExisting(
                        throughput == null
                                ? database.createContainerIfNotExists(definition)
                                : database.createContainerIfNotExists(definition, throughput)));
    }

    /** The SDK reads first and creates then; who provisions at the same moment may be faster in between. */
    private static Mono<Boolean> orExisting(Mono<?> creation) {
        return creation.thenReturn(true)
                .onErrorResume(
                        CosmosException.class, e -> e.getStatusCode() == CONFLICT ? Mono.just(false) : Mono.error(e));
    }

    private static <T> T answer(String operation, CosmosStoreConfig config, String step, Mono<T> request) {
        return bounded(operation, config, step, request.toFuture());
    }

    private static <T> T bounded(String operation, CosmosStoreConfig config, String step, CompletableFuture<T> answer) {
        Duration timeout = config.connectivity().openTimeout();
        long begunNanos = System.nanoTime();
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw ProviderException.retryable(operation, "interrupted while connecting to " + config.endpoint(), e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw silent(operation, config, step, timeout, e);
        } catch (ExecutionException e) {
            Throwable failure = e.getCause() == null ? e : e.getCause();
            if (isSilence(failure)) {
                throw silent(operation, config, step, Duration.ofNanos(System.nanoTime() - begunNanos), failure);
            }
            throw explained(operation, config, failure);
        }
    }

    private static ProviderException silent(
            String operation, CosmosStoreConfig config, String step, Duration waited, Throwable cause) {
        return ProviderException.retryable(
                operation,
                "the store at " + config.endpoint() + " did not answer within " + seconds(waited) + " s (" + step
                        + "), though it takes connections; it hangs, is busy or still starting, or this machine"
                        + " is busy: try again, or wait longer (COSMOS_OPEN_TIMEOUT, in milliseconds)",
                cause);
    }

    private static String seconds(Duration time) {
        return time.toMillisPart() == 0
                ? String.valueOf(time.toSeconds())
                : String.valueOf(Math.round(time.toMillis() / 100.0) / 10.0);
    }

    /** The client library has given the request up by itself. Where it could not connect it says so too. */
    private static boolean isSilence(Throwable failure) {
        @Nullable CosmosException answer = cosmosException(failure);
        return answer != null
                && answer.getStatusCode() == REQUEST_TIMEOUT
                && Failures.isSilence(answer)
                && !isUntrusted(failure);
    }

    static ProviderException explained(String operation, CosmosStoreConfig config, Throwable failure) {
        @Nullable CosmosException answer = cosmosException(failure);
        if (isUntrusted(failure)) {
            return ProviderException.permanent(
                    operation,
                    config.endpoint()
                            + " shows a certificate this machine does not trust, so nothing was sent to it; import"
                            + " it into the JVM's trust store (javax.net.ssl.trustStore) if it is an emulator's",
                    failure);
        }
        if (answer == null) {
            return isMalformed(config.credential())
                    ? ProviderException.permanent(operation, "COSMOS_KEY is no base64 text, as keys of accounts are")
                    : unreachable(operation, config, failure);
        }
        return switch (answer.getStatusCode()) {
            case 401 ->
                ProviderException.permanent(
                        operation,
                        config.endpoint() + " does not accept the " + config.credential()
                                + " (401); check COSMOS_KEY or the identity, and this machine's clock",
                        answer);
            case 403 ->
                ProviderException.permanent(
                        operation,
                        config.endpoint()
                                + " forbids the access (403); check the account's firewall and the role of this identity:"
                                + " docs/least-role.md has it",
                        answer);
            case 404 ->
                ProviderException.permanent(
                        operation, CosmosStore.place(config) + " does not exist; provision it first", answer);
            case 408, 410, 429, 449, 503 ->
                ProviderException.retryable(
                        operation, config.endpoint() + " is busy (" + answer.getStatusCode() + "); try again", answer);
            default ->
                answer.getStatusCode() == 0
                        ? unreachable(operation, config, answer)
                        : ProviderException.permanent(
                                operation,
                                config.endpoint() + " answered " + answer.getStatusCode() + ": "
                                        + answer.getShortMessage(),
                                answer);
        };
    }

    private static boolean isMalformed(Credential credential) {
        if (!(credential instanceof Credential.Key account)) {
            return false;
        }
        try {
            Base64.getDecoder().decode(account.key());
            return false;
        } catch (IllegalArgumentException e) {
            return true; // its message has a part of the key
        }
    }

    /** A handshake also fails where one side is too slow; only a refused certificate has this among the causes. */
    private static boolean isUntrusted(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable CosmosException cosmosException(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof CosmosException e) {
                return e;
            }
        }
        return null;
    }

    private static ProviderException unreachable(
            String operation, CosmosStoreConfig config, @Nullable Throwable cause) {
        return ProviderException.retryable(
                operation,
                "can't reach " + config.endpoint() + "; check COSMOS_ENDPOINT, and that the account or emulator is up",
                cause);
    }
}
