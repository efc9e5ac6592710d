package io.sluice.provider.cosmos;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
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

    private static final Pattern ENDPOINT_URL = Pattern.compile("https?://([^/\\s:@]+|\\[[^\\]/\\s@]+])(:\\d{1,5})?/?");

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

    /**
     * What is wrong with a text by itself, as words that follow the name and do not show the text; the rest is said
     * when the config is made.
     */
    public Optional<String> fault(String text) {
        return switch (this) {
            case ENDPOINT -> endpointFault(text);
            case AUTH -> otherThan(text, "key", "aad");
            case MODE -> text.isEmpty() ? Optional.empty() : otherThan(text, "direct", "gateway");
            default -> Optional.empty();
        };
    }

    private static Optional<String> otherThan(String text, String one, String other) {
        return text.equalsIgnoreCase(one) || text.equalsIgnoreCase(other)
                ? Optional.empty()
                : Optional.of("must be " + one + " or " + other);
    }

    private static Optional<String> endpointFault(String text) {
        String host = ENDPOINT_URL.matcher(text).matches() ? host(text) : null;
        if (host == null) {
            return Optional.of("must be a URL like https://name.documents.azure.com:443/");
        }
        return text.startsWith("http:") && !isLoopback(host)
                ? Optional.of(
                        "must be https: plain http is for loopback only, since it would show the data to the network")
                : Optional.empty();
    }

    private static @Nullable String host(String url) {
        try {
            return new URI(url).getHost();
        } catch (URISyntaxException e) {
            return null;
        }
    }

    static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    /**
     * The text of an environment, else the default, else nothing: an empty text.
     *
     * @throws IllegalArgumentException naming the variable that was set, when the text is wrong by itself
     */
    String checked(Map<String, String> environment) {
        String text = read(environment);
        fault(text).ifPresent(fault -> {
            String name = isSet(environment, variable()) ? variable() : otherVariable();
            throw new IllegalArgumentException(name + " " + fault + ", was " + text);
        });
        return text;
    }

    /** The text of an environment, else the default, else nothing: an empty text. */
    String read(Map<String, String> environment) {
        if (isSet(environment, variable())) {
            return String.valueOf(environment.get(variable())).strip();
        }
        if (isSet(environment, otherVariable())) {
            return String.valueOf(environment.get(otherVariable())).strip();
        }
        return defaultText == null ? "" : defaultText;
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        String text = environment.get(name);
        return text != null && !text.isBlank();
    }
}
