package io.sluice.relay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.models.CosmosContainerProperties;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.program.cli.ExitCode;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.CommandRun;
import io.sluice.testkit.EmbeddedKafka;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** {@code provision --connect-sinks}. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SinkContainersIT {
    private static EmbeddedKafka kafka;

    private CosmosEmulator emulator;
    private Map<String, String> environment;
    private CosmosClient cosmos;

    @BeforeAll
    static void startKafka() {
        kafka = EmbeddedKafka.start();
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @BeforeEach
    void start() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
        environment = new HashMap<>(Map.of(
                "COSMOS_ENDPOINT", emulator.endpoint(),
                "COSMOS_KEY", emulator.key(),
                "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                "SLUICE_TOPIC_REPLICATION", "1",
                "SLUICE_TOPIC_PARTITIONS", "2"));
        cosmos = CosmosStoreConfig.fromEnvironment(environment).clientBuilder().buildClient();
    }

    @AfterEach
    void stop() {
        cosmos.close();
        emulator.close();
    }

    @Test
    void the_containers_of_the_sinks_are_created_when_they_are_asked_for() {
        assertThat(CommandRun.of(environment, "provision").code()).isEqualTo(ExitCode.DONE);
        assertThat(partitionKeys()).as("nobody asked").doesNotContainKeys(sinks());

        assertThat(CommandRun.of(environment, "provision", "--connect-sinks").code())
                .isEqualTo(ExitCode.DONE);

        assertThat(partitionKeys()).containsAllEntriesOf(SinkContainers.PARTITION_KEYS);
    }

    @Test
    void provisioning_again_changes_nothing_that_is_there() {
        cosmos.createDatabase("duroxide");
        cosmos.getDatabase("duroxide")
                .createContainer(
                        new CosmosContainerProperties("sluice-status", "/id").setDefaultTimeToLiveInSeconds(3600));

        assertThat(CommandRun.of(environment, "provision", "--connect-sinks").code())
                .isEqualTo(ExitCode.DONE);
        assertThat(CommandRun.of(environment, "provision", "--connect-sinks").code())
                .isEqualTo(ExitCode.DONE);

        assertThat(cosmos.getDatabase("duroxide")
                        .getContainer("sluice-status")
                        .read()
                        .getProperties()
                        .getDefaultTimeToLiveInSeconds())
                .isEqualTo(3600);
    }

    @Test
    void each_container_with_another_partition_key_is_named() {
        cosmos.createDatabase("duroxide");
        cosmos.getDatabase("duroxide").createContainer("sluice-lifecycle", "/id");
        cosmos.getDatabase("duroxide").createContainer("sluice-audit", "/id");

        var run = CommandRun.of(environment, "provision", "--connect-sinks");

        assertThat(run.code()).isEqualTo(ExitCode.START);
        assertThat(run.err())
                .contains("container sluice-lifecycle must be partitioned by /instance for the sink, was [/id]")
                .contains("container sluice-audit must be partitioned by /instance_id");
    }

    private static String[] sinks() {
        return SinkContainers.PARTITION_KEYS.keySet().toArray(String[]::new);
    }

    private Map<String, String> partitionKeys() {
        return cosmos.getDatabase("duroxide").readAllContainers().stream()
                .collect(Collectors.toMap(
                        CosmosContainerProperties::getId,
                        container ->
                                container.getPartitionKeyDefinition().getPaths().get(0)));
    }
}
