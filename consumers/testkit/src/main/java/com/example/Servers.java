package com.example;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.testkit.EmbeddedKafka;

/**
 * Starts an emulated Cosmos DB and a Kafka broker, runs the command it is given beside them, and ends with the
 * command's exit code.
 */
public final class Servers {
    private Servers() {}

    public static void main(String[] command) throws Exception {
        int code;
        try (var cosmos = CosmosEmulator.start(EmulatorConfig.inMemory());
                var kafka = EmbeddedKafka.start()) {
            var process = new ProcessBuilder(command).inheritIO();
            process.environment().put("COSMOS_ENDPOINT", cosmos.endpoint());
            process.environment().put("COSMOS_KEY", cosmos.key());
            process.environment().put("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
            process.environment().put("SLUICE_PREFIX", "consumer");
            code = process.start().waitFor();
        }
        System.exit(code);
    }
}
