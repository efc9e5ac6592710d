package io.sluice.testkit;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import io.sluice.emulator.CosmosEmulator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An account in use by the tests of this JVM, its database made, and the client that cleans up in it. */
final class CosmosBackend implements AutoCloseable {
    private static final String PLAIN_HTTP_SWITCH = "COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED";
    private static final int NOT_FOUND = 404;

    private final CosmosSource.Account account;
    private final @Nullable CosmosEmulator emulator;
    private final CosmosClient client;
    private final Runnable stop;

    private CosmosBackend(
            CosmosSource.Account account, @Nullable CosmosEmulator emulator, CosmosClient client, Runnable stop) {
        this.account = account;
        this.emulator = emulator;
        this.client = client;
        this.stop = stop;
    }

    /**
     * @param stop ends what was started for the tests; done at once when the account can't be used
     * @throws IllegalStateException when the account does not answer or refuses the key
     */
    static CosmosBackend of(CosmosSource.Account account, @Nullable CosmosEmulator emulator, Runnable stop) {
        try {
            return new CosmosBackend(account, emulator, connect(account), stop);
        } catch (RuntimeException e) {
            stop.run();
            throw new IllegalStateException(
                    "the Cosmos account can't be used by tests, check endpoint and key: " + account, e);
        }
    }

    private static CosmosClient connect(CosmosSource.Account account) {
        CosmosClient client = clientBuilder(account).buildClient();
        try {
            client.createDatabaseIfNotExists(account.database());
            return client;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    CosmosClientBuilder clientBuilder() {
        return clientBuilder(account);
    }

    private static CosmosClientBuilder clientBuilder(CosmosSource.Account account) {
        if (account.endpoint().toLowerCase(Locale.ROOT).startsWith("http:")) {
            System.setProperty(PLAIN_HTTP_SWITCH, "true"); // the SDK reads it once, before its first request
        }
        return new CosmosClientBuilder()
                .endpoint(account.endpoint())
                .key(account.key())
                .gatewayMode()
                .contentResponseOnWriteEnabled(true);
    }

    CosmosSource.Account account() {
        return account;
    }

    @Nullable
    CosmosEmulator emulator() {
        return emulator;
    }

    /** Drops every container whose name begins with {@code prefix}; one that the test dropped itself is fine. */
    void dropContainers(String prefix) {
        CosmosDatabase database = client.getDatabase(account.database());
        List<String> names;
        try {
            names = database.readAllContainers().stream()
                    .map(container -> container.getId())
                    .filter(name -> name.startsWith(prefix))
                    .toList();
        } catch (CosmosException e) {
            throwUnlessGone(e);
            return;
        }
        for (String name : names) {
            try {
                database.getContainer(name).delete();
            } catch (CosmosException e) {
                throwUnlessGone(e);
            }
        }
    }

    private static void throwUnlessGone(CosmosException e) {
        if (e.getStatusCode() != NOT_FOUND) {
            throw e;
        }
    }

    @Override
    public void close() {
        client.close();
        stop.run();
    }
}
