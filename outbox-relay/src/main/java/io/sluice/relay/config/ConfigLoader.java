package io.sluice.relay.config;

import io.sluice.program.http.OpsPort;
import io.sluice.program.setting.Settings;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns texts of an environment and a file into a configuration, and reports every fault at once. */
final class ConfigLoader {
    private ConfigLoader() {}

    static RelayConfig defaults(CosmosStoreConfig cosmos, String kafkaBootstrapServers) {
        var settings = Settings.of(Map.of(RelaySettings.KAFKA_BOOTSTRAP_SERVERS.key(), kafkaBootstrapServers));
        var config = new ConfigReader(settings).config();
        settings.throwIfFaulty();
        return config.apply(cosmos);
    }

    static OpsPort http(Map<String, String> environment, @Nullable Path file) {
        return part(environment, file, RelaySettings.OPS::read);
    }

    static RelayConfig.StreamsOnly streamsOnly(Map<String, String> environment, @Nullable Path file) {
        return part(environment, file, settings -> new ConfigReader(settings).streamsOnly());
    }

    /** The store is opened last: only then is nothing else wrong. */
    static RelayConfig load(Map<String, String> environment, @Nullable Path file) {
        return part(environment, file, settings -> {
                    var config = new ConfigReader(settings).config();
                    return RelaySettings.STORE.read(settings).map(config);
                })
                .orElseThrow();
    }

    private static <T> T part(Map<String, String> environment, @Nullable Path file, Function<Settings, T> part) {
        var settings = Settings.of(RelaySettings.PROGRAM, environment, file);
        var read = part.apply(settings);
        settings.throwIfFaulty();
        return read;
    }
}
