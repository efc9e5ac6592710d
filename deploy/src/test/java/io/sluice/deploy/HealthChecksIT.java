package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.process.JavaProgram;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The images' health checks, as Docker would run them in a container, ask programs that run. */
class HealthChecksIT {
    private static final Dockerfile FILE = Dockerfile.read();
    private static CosmosEmulator emulator;
    private static Map<String, String> store;

    @BeforeAll
    static void openAStore() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
        store = Map.of("COSMOS_ENDPOINT", emulator.endpoint(), "COSMOS_KEY", emulator.key());
        CosmosStore.provision(CosmosStoreConfig.fromEnvironment(store));
    }

    @AfterAll
    static void close() {
        emulator.close();
    }

    @Test
    void the_relay_is_healthy_when_it_is_ready() throws Exception {
        String port = freePort();
        try (var kafka = EmbeddedKafka.start();
                var relay = JavaProgram.of(Program.RELAY, "run")
                        .small(256)
                        .with(store)
                        .with(Map.of("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(), "SLUICE_OPS_PORT", port))
                        .start()) {
            assertThat(exitCode("relay", Map.of("SLUICE_OPS_PORT", port)))
                    .as("it starts")
                    .isNotZero();
            relay.awaitPrinted("relay is running");

            await().untilAsserted(() -> assertThat(exitCode("relay", Map.of("SLUICE_OPS_PORT", port)))
                    .isZero());
        }
    }

    @Test
    void the_host_is_healthy_when_it_is_ready() throws Exception {
        String port = freePort();
        var settings = Map.of("SLUICE_HOST_PORT", "0", "SLUICE_HOST_OPS_PORT", port, "COSMOS_CONTAINER", "hub");
        var host = JavaProgram.of(Program.DURABLETASK_HOST, "provision")
                .small(256)
                .with(store)
                .with(settings);
        try (var provision = host.start()) {
            assertThat(provision.awaitEnd()).isZero();
        }
        try (var serving = JavaProgram.of(Program.DURABLETASK_HOST, "serve")
                .small(256)
                .with(store)
                .with(settings)
                .start()) {
            assertThat(exitCode("durabletask-host", settings)).as("it starts").isNotZero();
            serving.awaitPrinted("serving DurableTask SDKs");

            await().untilAsserted(() ->
                    assertThat(exitCode("durabletask-host", settings)).isZero());
        }
    }

    @Test
    void the_emulator_is_healthy_when_its_port_is_open() throws Exception {
        String port = emulator.endpoint().replaceAll(".*:(\\d+)/", "$1");

        assertThat(run(command("emulator").replace("8081", port), Map.of())).isZero();
        assertThat(run(command("emulator").replace("8081", freePort()), Map.of()))
                .isNotZero();
    }

    @Test
    void the_broker_is_healthy_when_its_port_is_open() throws Exception {
        var command = Compose.service("kafka").path("healthcheck").path("test").toString();
        assertThat(command).startsWith("[\"CMD\",").contains("/localhost/19092");
        var words = command.replace("\"CMD\",", "");

        try (var kafka = EmbeddedKafka.start()) {
            var port = kafka.bootstrapServers().replaceAll(".*:", "");
            assertThat(run(words.replace("19092", port), Map.of())).isZero();
        }
        assertThat(run(words.replace("19092", freePort()), Map.of())).isNotZero();
    }

    private static String freePort() throws IOException {
        return FreePorts.of(1).get(0).toString();
    }

    private static int exitCode(String target, Map<String, String> environment) throws Exception {
        return run(command(target), environment);
    }

    private static String command(String target) {
        return FILE.instruction(target, "HEALTHCHECK").replaceFirst(".* CMD ", "");
    }

    private static int run(String command, Map<String, String> environment) throws Exception {
        List<String> words = List.of(new ObjectMapper().readValue(command, String[].class));
        var check = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        check.environment().putAll(environment);
        return check.start().waitFor();
    }
}
