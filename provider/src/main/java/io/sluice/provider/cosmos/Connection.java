package io.sluice.provider.cosmos;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosBridgeInternal;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.implementation.DatabaseAccount;
import com.azure.cosmos.models.CosmosContainerResponse;
import io.sluice.provider.ProviderException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Makes the SDK's client and turns what can go wrong on the way into errors a person can act on, within seconds. */
final class Connection {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final String PLAIN_HTTP_SWITCH = "COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED";

    private Connection() {}

    /** A connected client of an account with one write region. */
    static CosmosAsyncClient connect(String operation, CosmosStoreConfig config) {
        checkReachable(operation, config);
        CosmosAsyncClient client = bounded(operation, config, CompletableFuture.supplyAsync(() -> build(config)));
        try {
            checkOneWriteRegion(operation, config, client);
            return client;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private static CosmosAsyncClient build(CosmosStoreConfig config) {
        CosmosClientBuilder builder = new CosmosClientBuilder()
                .endpoint(config.endpoint())
                .key(config.key())
                .consistencyLevel(ConsistencyLevel.SESSION)
                .contentResponseOnWriteEnabled(false)
                .userAgentSuffix("sluice")
                // Our own retry honours retry-after within the bounds of the lock.
                .throttlingRetryOptions(new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(0));
        if (config.isPlainHttp()) {
            System.setProperty(PLAIN_HTTP_SWITCH, "true");
            builder.gatewayMode();
        } else {
            builder.directMode();
        }
        return builder.buildAsyncClient();
    }

    /** The SDK keeps trying an address nobody listens on for minutes; a plain connection tells at once. */
    private static void checkReachable(String operation, CosmosStoreConfig config) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(config.host(), config.port()), (int) CONNECT_TIMEOUT.toMillis());
        } catch (IOException e) {
            throw unreachable(operation, config, e);
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
                client.getDatabase(config.database())
                        .getContainer(config.container())
                        .read());
    }

    static void create(String operation, CosmosStoreConfig config, CosmosAsyncClient client) {
        answer(operation, config, client.createDatabaseIfNotExists(config.database()));
        answer(
                operation,
                config,
                client.getDatabase(config.database())
                        .createContainerIfNotExists(ContainerDefinition.of(config.container())));
    }

    private static <T> T answer(String operation, CosmosStoreConfig config, Mono<T> request) {
        return bounded(operation, config, request.toFuture());
    }

    private static <T> T bounded(String operation, CosmosStoreConfig config, CompletableFuture<T> answer) {
        try {
            return answer.get(REQUEST_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw ProviderException.retryable(operation, "interrupted while connecting to " + config.endpoint(), e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw unreachable(operation, config, e);
        } catch (ExecutionException e) {
            throw explained(operation, config, e.getCause() == null ? e : e.getCause());
        }
    }

    private static ProviderException explained(String operation, CosmosStoreConfig config, Throwable failure) {
        @Nullable CosmosException answer = cosmosException(failure);
        if (answer == null) {
            return unreachable(operation, config, failure);
        }
        return switch (answer.getStatusCode()) {
            case 401 ->
                ProviderException.permanent(
                        operation,
                        config.endpoint()
                                + " does not accept the key (401); check COSMOS_KEY, and this machine's clock",
                        answer);
            case 403 ->
                ProviderException.permanent(
                        operation,
                        config.endpoint()
                                + " forbids the access (403); check the account's firewall and this identity's role",
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
