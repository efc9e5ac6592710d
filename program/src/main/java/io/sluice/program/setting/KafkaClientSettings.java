package io.sluice.program.setting;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * Settings of Kafka's clients, such as {@code compression.type}, {@code client.id} or {@code client.rack}, except for
 * those on which a program's guarantees depend.
 */
public final class KafkaClientSettings implements SettingFamily {
    /** An interceptor may change, add or drop records, which would break any guarantee. */
    private static final String INTERCEPTORS = ProducerConfig.INTERCEPTOR_CLASSES_CONFIG;

    /** Outside these bounds a program's clients stop working silently, or need too much memory. */
    private static final Map<String, Bounds> BOUNDED = Map.of(
            ProducerConfig.BATCH_SIZE_CONFIG,
            new Bounds(0, 1024 * 1024, "several batches must fit a producer's memory"),
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            new Bounds(0, 2_500, "a request that takes 5 s is given up"),
            ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
            new Bounds(
                    60_000,
                    3_600_000,
                    "a member that ends its work first must not be put out of the group, and one"
                            + " that hangs must be"));

    private record Bounds(int least, int most, String why) {
        boolean has(String text) {
            int value = Integer.parseInt(text.trim());
            return value >= least && value <= most;
        }
    }

    private static final List<ConfigDef> DEFINITIONS =
            List.of(ProducerConfig.configDef(), ConsumerConfig.configDef(), AdminClientConfig.configDef());

    private static final Set<String> OF_CLIENTS = DEFINITIONS.stream()
            .flatMap(definition -> definition.names().stream())
            .collect(Collectors.toUnmodifiableSet());

    private final String prefix;
    private final Set<String> own;

    /**
     * Those with a prefix.
     *
     * @param prefix of the keys, such as {@code sluice.kafka.}
     * @param own names of settings that the program sets itself
     */
    public KafkaClientSettings(String prefix, Set<String> own) {
        this.prefix = prefix;
        this.own = Set.copyOf(own);
    }

    @Override
    public String prefix() {
        return prefix;
    }

    @Override
    public boolean has(String name) {
        return OF_CLIENTS.contains(name);
    }

    @Override
    public boolean isClosed() {
        return true;
    }

    @Override
    public @Nullable String fault(String name, String text) {
        if (own.contains(name)) {
            return "can't be given: the program sets " + name + " itself";
        }
        if (!has(name)) {
            return "names no setting of Kafka's clients: " + name;
        }
        if (name.equals(INTERCEPTORS)) {
            return "can't be given: records pass no interceptor";
        }
        return DEFINITIONS.stream()
                .flatMap(definition ->
                        Optional.ofNullable(definition.configKeys().get(name)).stream())
                .filter(key -> !isTaken(key, text))
                .findFirst()
                .map(KafkaClientSettings::expected)
                .orElseGet(() -> outOfBounds(name, text));
    }

    private static @Nullable String outOfBounds(String name, String text) {
        var bounds = BOUNDED.get(name);
        return bounds == null || bounds.has(text)
                ? null
                : "must be %d to %d: %s".formatted(bounds.least(), bounds.most(), bounds.why());
    }

    private static boolean isTaken(ConfigKey key, String text) {
        try {
            var value = ConfigDef.parseType(key.name, text, key.type);
            if (key.validator != null) {
                key.validator.ensureValid(key.name, value);
            }
            return true;
        } catch (ConfigException e) {
            return false;
        }
    }

    /** Without the value, which may be secret. */
    private static String expected(ConfigKey key) {
        var type = key.type.name().toLowerCase(Locale.ROOT);
        return "has a value that Kafka's clients refuse: " + key.name + " must be of type " + type
                + (key.validator == null ? "" : ", " + key.validator);
    }
}
