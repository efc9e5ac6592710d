package io.sluice.provider.cosmos;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the container is and how to open it.
 *
 * @param endpoint {@code https://…}; plain {@code http} only on the loopback interface
 * @param key account key; never shown
 */
public record CosmosStoreConfig(String endpoint, String key, String database, String container) {
    /** Database and container name of the contract's other providers. */
    public static final String DEFAULT_NAME = "duroxide";

    public CosmosStoreConfig {
        List<String> faults = new ArrayList<>();
        requireText(faults, "endpoint (COSMOS_ENDPOINT)", endpoint);
        requireText(faults, "key (COSMOS_KEY)", key);
        requireText(faults, "database (COSMOS_DATABASE)", database);
        requireText(faults, "container (COSMOS_CONTAINER)", container);
        if (!endpoint.isBlank()) {
            checkEndpoint(faults, endpoint);
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
    }

    /**
     * Reads {@code COSMOS_ENDPOINT COSMOS_KEY COSMOS_DATABASE COSMOS_CONTAINER}, or the same with the prefix {@code COSMOSDB_}; the last two
     * default to {@value #DEFAULT_NAME}.
     *
     * @throws IllegalArgumentException naming every fault at once
     */
    public static CosmosStoreConfig fromEnvironment(Map<String, String> environment) {
        return new CosmosStoreConfig(
                either(environment, "ENDPOINT", ""),
                either(environment, "KEY", ""),
                either(environment, "DATABASE", DEFAULT_NAME),
                either(environment, "CONTAINER", DEFAULT_NAME));
    }

    /** The same account and database, another container. */
    public CosmosStoreConfig withContainer(String newContainer) {
        return new CosmosStoreConfig(endpoint, key, database, newContainer);
    }

    /** Host of the endpoint: the account, for logs and event sources. */
    String host() {
        return URI.create(endpoint).getHost();
    }

    int port() {
        URI uri = URI.create(endpoint);
        int implied = isPlainHttp() ? 80 : 443;
        return uri.getPort() >= 0 ? uri.getPort() : implied;
    }

    boolean isPlainHttp() {
        return "http".equalsIgnoreCase(URI.create(endpoint).getScheme());
    }

    private static String either(Map<String, String> environment, String name, String fallback) {
        @Nullable String value = environment.get("COSMOS_" + name);
        if (value == null || value.isBlank()) {
            value = environment.get("COSMOSDB_" + name);
        }
        return value == null || value.isBlank() ? fallback : value.strip();
    }

    private static void requireText(List<String> faults, String what, String value) {
        if (value.isBlank()) {
            faults.add(what + " is missing");
        }
    }

    private static void checkEndpoint(List<String> faults, String endpoint) {
        try {
            URI uri = new URI(endpoint);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme();
            if (uri.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
                faults.add("endpoint must be an https URL, was " + endpoint);
            } else if (scheme.equals("http") && !isLoopback(uri.getHost())) {
                faults.add(
                        "plain http is allowed on loopback only, since it would show the data to the network; use https, was "
                                + endpoint);
            }
        } catch (URISyntaxException e) {
            faults.add("endpoint is no URL: " + e.getMessage());
        }
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    @Override
    public String toString() {
        return "CosmosStoreConfig[endpoint=" + endpoint + ", key=(hidden), database=" + database + ", container="
                + container + "]";
    }
}
