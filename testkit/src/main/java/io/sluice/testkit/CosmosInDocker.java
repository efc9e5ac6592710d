package io.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.testcontainers.containers.CosmosDBEmulatorContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * Microsoft's Linux emulator ({@code vnext}) as a container. Clients connect to the port that its account answer
 * names, so it listens inside on the port that is published.
 */
final class CosmosInDocker {
    private static final DockerImageName IMAGE =
            DockerImageName.parse("mcr.microsoft.com/cosmosdb/linux/azure-cosmos-emulator:vnext-EN20260907");
    private static final int HEALTH_PORT = 8080;
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

    private CosmosInDocker() {}

    /** @throws IllegalStateException when no Docker engine is reachable */
    static CosmosDBEmulatorContainer start() {
        DockerEngine.require("a Cosmos emulator");
        int port = freePort();
        CosmosDBEmulatorContainer container = new CosmosDBEmulatorContainer(IMAGE)
                .withEnv("PROTOCOL", "http")
                .withEnv("PORT", Integer.toString(port))
                .withEnv("ENABLE_EXPLORER", "false")
                .withExposedPorts(port, HEALTH_PORT)
                .waitingFor(Wait.forHttp("/ready").forPort(HEALTH_PORT).withStartupTimeout(START_TIMEOUT));
        container.setPortBindings(List.of(port + ":" + port));
        container.start();
        return container;
    }

    static String endpoint(CosmosDBEmulatorContainer container) {
        return "http://" + container.getHost() + ":" + container.getEnvMap().get("PORT") + "/";
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port to publish a Cosmos emulator on", e);
        }
    }
}
