package io.sluice.relay;

import io.sluice.provider.cosmos.StoreVariable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Collects the texts of settings from a file and the environment. Names of settings that don't exist are faults. */
final class ConfigTexts {
    /** The specification's names, accepted where ours are not set: which variable stands for which. */
    private static final Map<String, String> OTHER_VARIABLES = Stream.of(StoreVariable.values())
            .collect(Collectors.toUnmodifiableMap(StoreVariable::otherVariable, StoreVariable::variable));

    /** Security settings of Kafka's clients, given as {@code kafka.<name>} or {@code KAFKA_<NAME>}. */
    private static final Set<String> CLIENT_SETTINGS = AdminClientConfig.configNames().stream()
            .filter(name -> name.startsWith("security.") || name.startsWith("sasl.") || name.startsWith("ssl."))
            .collect(Collectors.toUnmodifiableSet());

    private static final String CLIENT_PREFIX = "kafka.";
    private static final Pattern LIKE_A_SETTING = Pattern.compile("[a-zA-Z]+([._-][a-zA-Z]+){1,8}");

    private final Map<String, String> settings = new TreeMap<>();
    private final Map<String, String> clientSettings = new HashMap<>();
    private final ConfigErrors faults;

    ConfigTexts(ConfigErrors faults) {
        this.faults = faults;
    }

    /** By the keys of settings. */
    Map<String, String> settings() {
        return settings;
    }

    /** Settings of Kafka's clients, by Kafka's names. */
    Map<String, String> clientSettings() {
        return clientSettings;
    }

    /** Takes the settings of a properties file. */
    void takeFile(Path file) {
        var properties = new Properties();
        try (var in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            faults.add("the configuration file", "can't be read: " + e);
        }
        var known = SettingCatalog.all().stream().map(Setting::key).collect(Collectors.toSet());
        for (String key : properties.stringPropertyNames()) {
            if (known.contains(key)) {
                settings.put(key, properties.getProperty(key));
            } else if (key.startsWith(CLIENT_PREFIX) && CLIENT_SETTINGS.contains(clientName(key))) {
                clientSettings.put(clientName(key), properties.getProperty(key));
            } else if (key.startsWith(ClientSettings.KEYS)
                    && LIKE_A_SETTING.matcher(key).matches()) {
                ClientSettings.takeKey(key, properties.getProperty(key), clientSettings, faults);
            } else {
                // A key that goes over several lines makes names of its own.
                faults.add(
                        LIKE_A_SETTING.matcher(key).matches() ? key : "a name that is not shown",
                        "is no setting: --help lists them");
            }
        }
    }

    private static String clientName(String key) {
        return key.substring(CLIENT_PREFIX.length());
    }

    /** Takes the settings of the environment; they replace the file's. */
    void takeEnvironment(Map<String, String> environment) {
        var keys = SettingCatalog.all().stream().collect(Collectors.toMap(Setting::variable, Setting::key));
        OTHER_VARIABLES.forEach(
                (other, variable) -> take(environment, other, Objects.requireNonNull(keys.get(variable)), settings));
        keys.forEach((variable, key) -> take(environment, variable, key, settings));
        CLIENT_SETTINGS.forEach(name -> take(environment, clientVariable(name), name, clientSettings));
        ClientSettings.takeVariables(environment, clientSettings, faults);
    }

    /** Names of the security settings that are passed to Kafka's clients. */
    static Set<String> securitySettings() {
        return CLIENT_SETTINGS;
    }

    /** The environment variable of a setting of Kafka's clients. */
    static String clientVariable(String name) {
        return (CLIENT_PREFIX + name).toUpperCase(Locale.ROOT).replace('.', '_');
    }

    private static void take(Map<String, String> from, String variable, String key, Map<String, String> to) {
        var text = from.get(variable);
        if (text != null && !text.isBlank()) {
            to.put(key, text);
        }
    }
}
