package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.program.http.OpsPort;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.KafkaCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A relay that is there before its store. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LateStoreIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @TempDir
    Path folder;

    private static OutboxRelay relay(CosmosStoreConfig store, int opsPort) {
        return OutboxRelay.builder()
                .config(TestConfig.of(store, kafka.bootstrapServers(), kafka.prefix())
                        .withOperations(new RelayConfig.Operations(
                                        Duration.ofSeconds(10),
                                        Duration.ofMinutes(5),
                                        10,
                                        0,
                                        new OpsPort("127.0.0.1", opsPort, OpsClient.TOKEN))
                                .withStartTimeout(PATIENCE)))
                .build();
    }

    private static boolean provisioned(CosmosStoreConfig store) {
        CosmosStore.provision(store);
        return true;
    }

    @Test
    void a_store_that_comes_up_late_is_waited_for_and_health_says_so_meanwhile() throws Exception {
        CosmosStoreConfig store;
        int cosmosPort;
        try (var first = CosmosEmulator.start(EmulatorConfig.inFolder(folder))) {
            store = new CosmosStoreConfig(first.endpoint(), first.key(), "late", "orders");
            cosmosPort = URI.create(first.endpoint()).getPort();
            // A machine that is busy may take longer for a first connection than one try waits for.
            await().atMost(PATIENCE)
                    .ignoreExceptionsMatching(e -> e instanceof ProviderException failed && failed.retryable())
                    .until(() -> provisioned(store));
        }
        int opsPort = FreePorts.of(1).get(0);
        var ops = new OpsClient(opsPort);
        var relay = relay(store, opsPort);
        try {
            var started = CompletableFuture.runAsync(relay::start);

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> ops.get("/health/ready").body().contains("COSMOS_ENDPOINT"));
            assertThat(ops.get("/health/ready").status()).isEqualTo(503);
            assertThat(ops.get("/health/live").status())
                    .as("to be left alone, not killed")
                    .isEqualTo(200);
            assertThat(ops.get("/metrics").body())
                    .contains("sluice_relay_ready 0")
                    .contains("sluice_relay_live 1");
            assertThat(ops.get("/status").json().path("ready").asBoolean(true)).isFalse();
            assertThat(started).isNotDone();

            try (var late = CosmosEmulator.start(EmulatorConfig.inFolder(folder).withPort(cosmosPort))) {
                started.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(late.endpoint()).isEqualTo(store.endpoint());
                await().atMost(PATIENCE)
                        .ignoreExceptions()
                        .untilAsserted(() ->
                                assertThat(ops.get("/health/ready").body()).contains("\"well\":true"));
                assertThat(ops.get("/metrics").body()).contains("sluice_relay_ready 1");
                relay.close(); // while there is a store to say good-bye to
            }
        } finally {
            relay.close();
        }
    }

    @Test
    void a_relay_that_waits_is_closed_at_once() throws Exception {
        int opsPort = FreePorts.of(1).get(0);
        var ops = new OpsClient(opsPort);
        var nowhere = new CosmosStoreConfig("http://127.0.0.1:1/", "a2V5", "db", "c");
        var relay = relay(nowhere, opsPort);
        var started = CompletableFuture.runAsync(relay::start);
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> ops.get("/health/ready").body().contains("COSMOS_ENDPOINT"));

        relay.close();

        assertThat(started).failsWithin(PATIENCE).withThrowableThat().havingRootCause();
        await().atMost(PATIENCE).until(() -> {
            try (var port = new ServerSocket(opsPort, 1, InetAddress.getLoopbackAddress())) {
                return port.isBound();
            } catch (IOException e) {
                return false;
            }
        });
    }
}
