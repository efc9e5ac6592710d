package io.sluice.provider.cosmos;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables by which {@link CosmosStoreConfig#fromEnvironment} finds a store. Each has its place here
 * alone: reading and documentation come from it.
 */
public enum StoreVariable {
    ENDPOINT("https URL; http on loopback only", null, "URL of the account"),
    AUTH(
            "key or aad",
            "key",
            "how the account is opened: by its key, or by azure-identity's default credential, which then has to be on the class path"),
    KEY("secret", null, "key of the account; not read when an identity opens it"),
    DATABASE("text", CosmosStoreConfig.DEFAULT_NAME, "database that holds the container"),
    CONTAINER("text", CosmosStoreConfig.DEFAULT_NAME, "container that holds the orchestrations"),
    MODE("direct or gateway", "", "which way requests take; by default gateway on loopback, direct everywhere else"),
    REGIONS("names, with commas", "", "regions to read from, in order; by default the account's own order"),
    APPLICATION("up to 40 printable ASCII characters", "", "name shown in the account's logs, behind sluice"),
    OPEN_TIMEOUT(
            "1 to 999999999 ms",
            "60000",
            "for how long each answer is waited for while the store is opened or provisioned"),
    THROUGHPUT(
            "none, manual:n or autoscale:n",
            "none",
            "what provision buys for a container it creates, in request units a second (n: 400 or more in hundreds, or 1000 or more in thousands); none on"
                    + " serverless accounts and in databases that share theirs");

    private static final String PREFIX = "COSMOS_";
    private static final String OTHER_PREFIX = "COSMOSDB_";

    private final String range;
    private final @Nullable String defaultText;
    private final String sentence;

    StoreVariable(String range, @Nullable String defaultText, String sentence) {
        this.range = range;
        this.defaultText = defaultText;
        this.sentence = sentence;
    }

    /** The variable's name, such as {@code COSMOS_ENDPOINT}. */
    public String variable() {
        return PREFIX + name();
    }

    /** The name that is asked for after it, such as {@code COSMOSDB_ENDPOINT}. */
    public String otherVariable() {
        return OTHER_PREFIX + name();
    }

    /** The allowed values, in words. */
    public String range() {
        return range;
    }

    /** What holds where none is set; empty for nothing, null when it must be given. */
    public @Nullable String defaultText() {
        return defaultText;
    }

    /** What it does. */
    public String sentence() {
        return sentence;
    }

    /** The text of an environment, else the default, else nothing: an empty text. */
    String read(Map<String, String> environment) {
        String text = environment.get(variable());
        if (text == null || text.isBlank()) {
            text = environment.get(otherVariable());
        }
        if (text == null || text.isBlank()) {
            return defaultText == null ? "" : defaultText;
        }
        return text.strip();
    }
}
