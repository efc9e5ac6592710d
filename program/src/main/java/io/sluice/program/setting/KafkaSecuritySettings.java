package io.sluice.program.setting;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;

/** Security settings of Kafka's clients by the names that are usual for them: {@code KAFKA_SECURITY_PROTOCOL}. */
public final class KafkaSecuritySettings implements SettingFamily {
    private static final String PREFIX = "kafka.";
    private static final Set<String> NAMES = AdminClientConfig.configNames().stream()
            .filter(name -> name.startsWith("security.") || name.startsWith("sasl.") || name.startsWith("ssl."))
            .collect(Collectors.toUnmodifiableSet());

    /** Their names, as Kafka has them. */
    public static Set<String> names() {
        return NAMES;
    }

    /** The environment variable of one. */
    public static String variable(String name) {
        return (PREFIX + name).toUpperCase(Locale.ROOT).replace('.', '_');
    }

    @Override
    public String prefix() {
        return PREFIX;
    }

    @Override
    public boolean has(String name) {
        return NAMES.contains(name);
    }

    /** Kafka's own programs have variables that begin so. */
    @Override
    public boolean isClosed() {
        return false;
    }

    @Override
    public @Nullable String fault(String name, String text) {
        return null;
    }
}
