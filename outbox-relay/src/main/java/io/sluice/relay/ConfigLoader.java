package io.sluice.relay;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns texts of an environment and a file into a configuration, and reports every fault at once. */
final class ConfigLoader {
    private ConfigLoader() {}

    static RelayConfig defaults(CosmosStoreConfig cosmos, String kafkaBootstrapServers) {
        var faults = new ConfigErrors();
        var texts = Map.of(SettingCatalog.KAFKA_BOOTSTRAP_SERVERS.key(), kafkaBootstrapServers);
        var config = new ConfigReader(texts, faults).config(Map.of());
        faults.throwIfAny();
        return config.apply(cosmos);
    }

    static RelayConfig.Http http(Map<String, String> environment, @Nullable Path file) {
        return part(environment, file, (reading, clientSettings) -> reading.http());
    }

    static RelayConfig.StreamsOnly streamsOnly(Map<String, String> environment, @Nullable Path file) {
        return part(environment, file, ConfigReader::streamsOnly);
    }

    static RelayConfig load(Map<String, String> environment, @Nullable Path file) {
        var whole = part(
                environment,
                file,
                (reading, clientSettings) -> new Whole(reading.cosmos(), reading.config(clientSettings)));
        return whole.config().apply(opened(whole.cosmos()));
    }

    /** All settings, and the store's, which is only made when nothing else is wrong. */
    private record Whole(Supplier<CosmosStoreConfig> cosmos, Function<CosmosStoreConfig, RelayConfig> config) {}

    private static <T> T part(
            Map<String, String> environment,
            @Nullable Path file,
            BiFunction<ConfigReader, Map<String, String>, T> part) {
        var faults = new ConfigErrors();
        var texts = new ConfigTexts(faults);
        if (file != null) {
            texts.takeFile(file);
        }
        texts.takeEnvironment(environment);
        UnknownVariables.of(environment).forEach(fault -> faults.add(fault.variable(), fault.words()));
        var read = part.apply(new ConfigReader(texts.settings(), faults), texts.clientSettings());
        faults.throwIfAny();
        return read;
    }

    private static CosmosStoreConfig opened(Supplier<CosmosStoreConfig> cosmos) {
        try {
            return cosmos.get();
        } catch (IllegalArgumentException e) {
            var faults = new ConfigErrors();
            faults.add("cosmos", String.valueOf(e.getMessage()));
            faults.throwIfAny();
            throw e;
        }
    }
}
