package io.sluice.emulator;

import com.azure.cosmos.CosmosClientBuilder;

/**
 * Builders of the Java SDK's clients of an emulator, in gateway mode. Without TLS they allow the SDKs of this JVM to
 * use plain HTTP, as their system property does. With TLS this JVM must trust the emulator's certificate: the SDK takes
 * it from nowhere else. Needs {@code azure-cosmos} on the class path, which the emulator does not bring.
 */
public final class JavaClients {
    private static final String PLAIN_HTTP_SWITCH = "COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED";

    private JavaClients() {}

    /** A builder with the endpoint and key of this emulator. */
    public static CosmosClientBuilder builder(CosmosEmulator emulator) {
        return builder(emulator.endpoint(), emulator.key());
    }

    /** A builder with the endpoint and key of an emulator in another process. */
    public static CosmosClientBuilder builder(String endpoint, String key) {
        if (endpoint.startsWith("http:")) {
            System.setProperty(PLAIN_HTTP_SWITCH, "true");
        }
        return new CosmosClientBuilder().endpoint(endpoint).key(key).gatewayMode();
    }
}
