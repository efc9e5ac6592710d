package io.sluice.relay;

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
 * Further settings of Kafka's clients, such as {@code compression.type}, {@code client.id} or {@code client.rack},
 * except for the settings on which the relay's guarantees depend.
 */
final class ClientSettings {
    static final String VARIABLES = "SLUICE_KAFKA_";
    static final String KEYS = "sluice.kafka.";

    /** Settings that the relay sets itself. */
    private static final Set<String> OF_THE_RELAY = Set.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            ProducerConfig.ACKS_CONFIG,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.LINGER_MS_CONFIG,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            ProducerConfig.PARTITIONER_CLASS_CONFIG,
            ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            ProducerConfig.RETRIES_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            ConsumerConfig.CHECK_CRCS_CONFIG,
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    /** An interceptor may change, add or drop records, which would break the relay's guarantees. */
    private static final String INTERCEPTORS = ProducerConfig.INTERCEPTOR_CLASSES_CONFIG;

    /** Outside these bounds the relay's clients stop working silently, or need too much memory. */
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

    private ClientSettings() {}

    /** Takes the settings of an environment. */
    static void takeVariables(Map<String, String> environment, Map<String, String> settings, ConfigErrors faults) {
        environment.forEach((variable, text) -> {
            if (variable.startsWith(VARIABLES) && !text.isBlank()) {
                var name = variable.substring(VARIABLES.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '.');
                // Some settings end like the variables that container platforms set for services.
                if (OF_CLIENTS.contains(name) || !UnknownVariables.isOfAService(variable)) {
                    take(variable, name, text, settings, faults);
                }
            }
        });
    }

    /** Takes a setting of a file. */
    static void takeKey(String key, String text, Map<String, String> settings, ConfigErrors faults) {
        take(key, key.substring(KEYS.length()), text, settings, faults);
    }

    private static void take(
            String source, String name, String text, Map<String, String> settings, ConfigErrors faults) {
        var fault = fault(name, text);
        if (fault == null) {
            settings.put(name, text);
        } else {
            faults.add(source, fault);
        }
    }

    private static @Nullable String fault(String name, String text) {
        if (OF_THE_RELAY.contains(name)) {
            return "can't be given: the relay sets " + name + " itself";
        }
        if (!OF_CLIENTS.contains(name)) {
            return "names no setting of Kafka's clients: " + name;
        }
        if (name.equals(INTERCEPTORS)) {
            return "can't be given: records of the relay pass no interceptor";
        }
        return DEFINITIONS.stream()
                .flatMap(definition ->
                        Optional.ofNullable(definition.configKeys().get(name)).stream())
                .filter(key -> !isTaken(key, text))
                .findFirst()
                .map(ClientSettings::expected)
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
