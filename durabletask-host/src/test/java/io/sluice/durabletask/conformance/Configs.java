package io.sluice.durabletask.conformance;

import io.sluice.durabletask.HostConfig;
import java.time.Duration;

/** Settings that nobody but a test changes. */
final class Configs {
    private Configs() {}

    static HostConfig withKeepAlive(HostConfig config, Duration keepAlive) {
        return new HostConfig(
                config.address(),
                config.port(),
                config.tls(),
                config.tokens(),
                config.meters(),
                config.callThreads(),
                config.messages(),
                keepAlive,
                config.hub());
    }
}
