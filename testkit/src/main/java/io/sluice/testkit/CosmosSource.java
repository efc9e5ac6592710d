package io.sluice.testkit;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.CosmosDBEmulatorContainer;

/** Which Cosmos account a test run uses: the one place where that is decided. */
sealed interface CosmosSource {
    String DEFAULT_DATABASE = "sluice-test";

    /** Connects to it or starts it. */
    CosmosBackend open();

    /** Whether each test class gets another one, which ends with it; the others serve all of a test run. */
    default boolean servesOneClass() {
        return false;
    }

    /**
     * An account named by {@code COSMOS_ENDPOINT} and {@code COSMOS_KEY} (or the same with {@code COSMOSDB_}), else
     * what {@link LocalBackend} says.
     *
     * @throws IllegalArgumentException when only one of the two is there
     */
    static CosmosSource firstAvailable(Map<String, String> environment) {
        LocalBackend local = LocalBackend.chosenBy(environment);
        for (String prefix : List.of("COSMOS_", "COSMOSDB_")) {
            String endpoint = environment.getOrDefault(prefix + "ENDPOINT", "").strip();
            String key = environment.getOrDefault(prefix + "KEY", "").strip();
            if (endpoint.isEmpty() != key.isEmpty()) {
                throw new IllegalArgumentException("an account needs both " + prefix + "ENDPOINT and " + prefix
                        + "KEY; missing: " + prefix + (key.isEmpty() ? "KEY" : "ENDPOINT"));
            }
            if (!endpoint.isEmpty()) {
                String database =
                        environment.getOrDefault(prefix + "DATABASE", "").strip();
                return new Account(endpoint, key, database.isEmpty() ? DEFAULT_DATABASE : database);
            }
        }
        return switch (local) {
            case EMBEDDED -> new Embedded();
            case DOCKER -> new Docker();
        };
    }

    /** Somebody's account; its database stays, for an empty one costs nothing. */
    record Account(String endpoint, String key, String database) implements CosmosSource {
        @Override
        public CosmosBackend open() {
            return CosmosBackend.of(this, null, () -> {});
        }

        @Override
        public String toString() {
            return "Account[" + endpoint + ", database " + database + ", key withheld]";
        }
    }

    /** Microsoft's emulator. */
    record Docker() implements CosmosSource {
        @Override
        public CosmosBackend open() {
            CosmosDBEmulatorContainer container = CosmosInDocker.start();
            Account account =
                    new Account(CosmosInDocker.endpoint(container), container.getEmulatorKey(), DEFAULT_DATABASE);
            return CosmosBackend.of(account, null, container::stop);
        }
    }

    /** Our emulator in this JVM, in memory. */
    record Embedded() implements CosmosSource {
        @Override
        public boolean servesOneClass() {
            return true;
        }

        @Override
        public CosmosBackend open() {
            CosmosEmulator emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
            Account account = new Account(emulator.endpoint(), emulator.key(), DEFAULT_DATABASE);
            return CosmosBackend.of(account, emulator, emulator::close);
        }
    }
}
