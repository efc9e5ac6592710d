package io.sluice.examples.durabletask;

import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.HostConfig;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.examples.quickstart.QuietLogs;
import io.sluice.examples.servers.RunDatabase;
import io.sluice.provider.cosmos.CosmosProvider;
import java.util.Map;

/**
 * Serves DurableTask SDKs on this machine until it is ended: on an embedded Cosmos DB that is gone with the process, or
 * on the account that the environment names. For trials and tests: a start replaces an instance of its id that has
 * ended, and clients may empty the task hub.
 */
public final class LocalDurableTaskHost {
    private LocalDurableTaskHost() {}

    /** The port is {@code SLUICE_HOST_PORT}, else the one that SDKs look at by default. */
    public static void main(String[] arguments) throws InterruptedException {
        QuietLogs.choose();
        Map<String, String> environment = System.getenv();
        int port =
                Integer.parseInt(environment.getOrDefault("SLUICE_HOST_PORT", String.valueOf(HostConfig.DEFAULT_PORT)));
        HostConfig config = HostConfig.local(port).withStartReplacesEnded(true).withCanBeEmptied(true);
        // As a new container of an account has it: each search for work is one request.
        EmulatorConfig emulated = EmulatorConfig.inMemory().withPhysicalPartitions(1);
        try (RunDatabase database = RunDatabase.open(environment, "durabletask", true, emulated);
                CosmosProvider provider = CosmosProvider.builder()
                        .store(database.store())
                        .dropOrphanEvents(true)
                        .build();
                DurableTaskHost host = DurableTaskHost.start(provider, config)) {
            System.out.println(
                    "serving DurableTask SDKs at localhost:" + host.port() + " on " + database.description());
            host.awaitEnd();
        }
    }
}
