package io.sluice.provider.cosmos;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.ThrottlingRetryOptions;
import java.time.Duration;

/** Makes the SDK's builders: what the contract rests on is the same in all of them. */
final class ClientBuilders {
    private static final String PLAIN_HTTP_SWITCH = "COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED";

    private ClientBuilders() {}

    static CosmosClientBuilder of(CosmosStoreConfig config) {
        Credential credential = config.credential();
        CosmosClientBuilder builder;
        if (credential instanceof Credential.Prepared prepared) {
            builder = prepared.builder();
        } else {
            builder = connected(config);
            if (credential instanceof Credential.Token token) {
                builder.credential(token.identity());
            } else {
                builder.key(config.key());
            }
        }
        if (config.isPlainHttp()) {
            System.setProperty(PLAIN_HTTP_SWITCH, "true");
        }
        return builder.consistencyLevel(ConsistencyLevel.SESSION)
                .contentResponseOnWriteEnabled(false)
                // Our own retry honours retry-after within the bounds of the lock.
                .throttlingRetryOptions(new ThrottlingRetryOptions()
                        .setMaxRetryAttemptsOnThrottledRequests(0)
                        .setMaxRetryWaitTime(Duration.ZERO));
    }

    private static CosmosClientBuilder connected(CosmosStoreConfig config) {
        Connectivity connectivity = config.connectivity();
        String name = connectivity.applicationName();
        CosmosClientBuilder builder = new CosmosClientBuilder()
                .endpoint(config.endpoint())
                .userAgentSuffix(name.isEmpty() ? "sluice" : "sluice-" + name);
        if (!connectivity.preferredRegions().isEmpty()) {
            builder.preferredRegions(connectivity.preferredRegions());
        }
        boolean direct = switch (connectivity.mode()) {
            case DIRECT -> true;
            case GATEWAY -> false;
            case BY_ENDPOINT -> !config.isOnLoopback();
        };
        return direct ? builder.directMode() : builder.gatewayMode();
    }
}
