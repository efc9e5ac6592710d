package io.sluice.provider.cosmos;

import com.azure.core.credential.TokenCredential;
import com.azure.cosmos.CosmosClientBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where the container is, how to reach and how to open it.
 *
 * @param endpoint {@code https://…}; plain {@code http} only on the loopback interface
 * @param credential account key, identity, or a prepared client builder; never shown
 * @param throughput of a container that is created by {@link CosmosStore#provision}
 */
public record CosmosStoreConfig(
        String endpoint,
        Credential credential,
        String database,
        String container,
        Connectivity connectivity,
        Throughput throughput) {
    /** Database and container name of the contract's other providers. */
    public static final String DEFAULT_NAME = "duroxide";

    private static final Pattern MILLIS = Pattern.compile("[0-9]{1,9}");

    public CosmosStoreConfig {
        List<String> faults = new ArrayList<>();
        requireText(faults, "endpoint (COSMOS_ENDPOINT)", endpoint);
        if (credential instanceof Credential.Key key) {
            requireText(faults, "key (COSMOS_KEY)", key.key());
        }
        requireText(faults, "database (COSMOS_DATABASE)", database);
        requireText(faults, "container (COSMOS_CONTAINER)", container);
        if (!endpoint.isBlank()) {
            StoreVariable.ENDPOINT
                    .fault(endpoint)
                    .ifPresent(fault -> faults.add("endpoint (COSMOS_ENDPOINT) " + fault + ", was " + endpoint));
        }
        if (connectivity.mode() == Connectivity.Mode.DIRECT && endpoint.startsWith("http:")) {
            faults.add("direct mode (COSMOS_MODE) needs https, the endpoint is " + endpoint);
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
    }

    /** Opened with an account key, connected as the endpoint suggests. */
    public CosmosStoreConfig(String endpoint, String key, String database, String container) {
        this(endpoint, Credential.ofKey(key), database, container);
    }

    /** Connected as the endpoint suggests. */
    public CosmosStoreConfig(String endpoint, Credential credential, String database, String container) {
        this(endpoint, credential, database, container, Connectivity.DEFAULT, Throughput.NONE);
    }

    /**
     * Opened with a client builder of the caller's, whose endpoint, credential, mode, regions and network settings stay
     * as they are. What the contract rests on is set in it: session consistency, no waiting inside of the SDK when
     * throttled, no documents in answers to writes.
     */
    public static CosmosStoreConfig of(CosmosClientBuilder builder, String database, String container) {
        Credential.Prepared prepared = new Credential.Prepared(builder);
        return new CosmosStoreConfig(prepared.endpoint(), prepared, database, container);
    }

    /**
     * Reads what {@link StoreVariable} lists: a variable with the prefix {@code COSMOS_}, or where that is missing or
     * blank the one with the prefix {@code COSMOSDB_}.
     *
     * @throws IllegalArgumentException naming every fault of place and key at once
     */
    public static CosmosStoreConfig fromEnvironment(Map<String, String> environment) {
        return fromEnvironment(environment, IdentityLibrary::defaultCredential);
    }

    /** As {@link #fromEnvironment(Map)}, with another identity when {@code COSMOS_AUTH} is {@code aad}. */
    public static CosmosStoreConfig fromEnvironment(
            Map<String, String> environment, Supplier<? extends TokenCredential> identity) {
        var connectivity = new Connectivity(
                mode(StoreVariable.MODE.checked(environment)),
                Stream.of(StoreVariable.REGIONS.read(environment).split(",", -1))
                        .map(String::strip)
                        .filter(region -> !region.isEmpty())
                        .toList(),
                StoreVariable.APPLICATION.read(environment),
                openTimeout(StoreVariable.OPEN_TIMEOUT.read(environment)));
        return new CosmosStoreConfig(
                StoreVariable.ENDPOINT.read(environment),
                credential(environment, identity),
                StoreVariable.DATABASE.read(environment),
                StoreVariable.CONTAINER.read(environment),
                connectivity,
                Throughput.parse(StoreVariable.THROUGHPUT.read(environment)));
    }

    private static Credential credential(
            Map<String, String> environment, Supplier<? extends TokenCredential> identity) {
        return StoreVariable.AUTH.checked(environment).equalsIgnoreCase("aad")
                ? Credential.of(identity.get())
                : Credential.ofKey(StoreVariable.KEY.read(environment));
    }

    private static Connectivity.Mode mode(String text) {
        return text.isEmpty()
                ? Connectivity.Mode.BY_ENDPOINT
                : Connectivity.Mode.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static Duration openTimeout(String text) {
        if (!MILLIS.matcher(text).matches() || Long.parseLong(text) == 0) {
            throw new IllegalArgumentException("COSMOS_OPEN_TIMEOUT must be a number of milliseconds, was " + text);
        }
        return Duration.ofMillis(Long.parseLong(text));
    }

    /** The same account and database, another container. */
    public CosmosStoreConfig withContainer(String newContainer) {
        return new CosmosStoreConfig(endpoint, credential, database, newContainer, connectivity, throughput);
    }

    /** Spoken to in another way. */
    public CosmosStoreConfig withConnectivity(Connectivity changed) {
        return new CosmosStoreConfig(endpoint, credential, database, container, changed, throughput);
    }

    /** Created with other throughput. */
    public CosmosStoreConfig withThroughput(Throughput changed) {
        return new CosmosStoreConfig(endpoint, credential, database, container, connectivity, changed);
    }

    /**
     * The account key.
     *
     * @throws IllegalStateException when the store is not opened with one
     */
    public String key() {
        if (credential instanceof Credential.Key given) {
            return given.key();
        }
        throw new IllegalStateException("the store is opened with " + credential + ", there is no key");
    }

    /**
     * A builder for a client that reaches the store as this says: with session consistency, and without waiting inside
     * of the SDK when throttled. Of a config made from a builder it is that builder, so build one client before asking
     * again.
     */
    public CosmosClientBuilder clientBuilder() {
        return ClientBuilders.of(this);
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

    /** Whether it is an emulator's place: this machine. */
    boolean isOnLoopback() {
        return StoreVariable.isLoopback(host());
    }

    boolean isPlainHttp() {
        return "http".equalsIgnoreCase(URI.create(endpoint).getScheme());
    }

    private static void requireText(List<String> faults, String what, String value) {
        if (value.isBlank()) {
            faults.add(what + " is missing");
        }
    }

    @Override
    public String toString() {
        return "CosmosStoreConfig[endpoint=" + endpoint + ", credential=" + credential + ", database=" + database
                + ", container=" + container + "]";
    }
}
