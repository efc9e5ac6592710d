package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The containers that the sinks write to, made in the emulator. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContainersCommandIT {
    private static Map<String, String> environment(CosmosEmulator emulator) {
        return Map.of(
                "COSMOS_ENDPOINT", emulator.endpoint(), "COSMOS_KEY", emulator.key(), "COSMOS_DATABASE", "duroxide");
    }

    @Test
    void what_is_missing_is_made_and_what_is_there_is_left() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            var environment = environment(emulator);

            assertThat(ProgramRun.of(environment, "containers").code()).isEqualTo(Main.DONE);
            assertThat(ProgramRun.of(environment, "containers").out()).contains("sluice-status");

            try (var client = CosmosStoreConfig.fromEnvironment(environment)
                    .clientBuilder()
                    .buildClient()) {
                assertThat(client.getDatabase("duroxide").readAllContainers())
                        .extracting(container -> container.getId())
                        .containsExactlyInAnyOrderElementsOf(ContainersCommand.PARTITION_KEYS.keySet());
            }
        }
    }

    @Test
    void one_with_another_partition_key_is_named() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            var environment = environment(emulator);
            try (var client = CosmosStoreConfig.fromEnvironment(environment)
                    .clientBuilder()
                    .buildClient()) {
                client.createDatabase("duroxide");
                client.getDatabase("duroxide").createContainer("sluice-lifecycle", "/id");
            }

            var run = ProgramRun.of(environment, "containers");

            assertThat(run.code()).isEqualTo(Main.NOT_DONE);
            assertThat(run.err()).contains("sluice-lifecycle", "/instance");
        }
    }

    @Test
    void one_whose_partition_key_has_more_parts_is_named() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory())) {
            var environment = environment(emulator);
            var key = new PartitionKeyDefinition()
                    .setPaths(List.of("/instance", "/tenant"))
                    .setKind(PartitionKind.MULTI_HASH)
                    .setVersion(PartitionKeyDefinitionVersion.V2);
            try (var client = CosmosStoreConfig.fromEnvironment(environment)
                    .clientBuilder()
                    .buildClient()) {
                client.createDatabase("duroxide");
                client.getDatabase("duroxide").createContainer(new CosmosContainerProperties("sluice-lifecycle", key));
            }

            var run = ProgramRun.of(environment, "containers");

            assertThat(run.code()).isEqualTo(Main.NOT_DONE);
            assertThat(run.err()).contains("sluice-lifecycle", "[/instance, /tenant]");
        }
    }
}
