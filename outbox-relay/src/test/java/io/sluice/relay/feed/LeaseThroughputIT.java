package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.ThroughputProperties;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeaseThroughputIT {
    @ParameterizedTest
    @CsvSource({"4, 400", "60, 800"})
    void the_lease_container_gets_what_the_leases_of_all_partitions_need(int partitions, int expected) {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(partitions))) {
            var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "db", "orders");
            CosmosStore.provision(config);
            try (var client = FeedClient.open(config);
                    var service = config.clientBuilder().buildClient()) {
                client.ensureLeases(true);
                // What the service gives a container that is made without saying how much.
                var made = client.leases().read().block().getProperties();
                service.getDatabase("db").getContainer("orders-leases").delete();
                service.getDatabase("db").createContainer(made, ThroughputProperties.createManualThroughput(400));

                client.ensureLeases(true);

                assertThat(client.leases().readThroughput().block())
                        .extracting(answer -> answer.getProperties().getManualThroughput())
                        .isEqualTo(expected);
            }
        }
    }
}
