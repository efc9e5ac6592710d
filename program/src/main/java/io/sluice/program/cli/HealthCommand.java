package io.sluice.program.cli;

import io.sluice.program.http.OpsPort;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks a running process whether it does its work, for the probes of containers. */
@Command(
        name = "health",
        description = "Asks a running process whether it does all of its work: ends with 0 when it does, else with 1.")
public final class HealthCommand implements Callable<Integer> {
    @Mixin
    private final OpsCalls calls;

    @Option(names = "--live", description = "Ask whether it is to be left alone rather than killed.")
    private boolean live;

    /**
     * Asks nobody yet.
     *
     * @param who is asked, such as relay
     * @param port where it is by the settings
     */
    public HealthCommand(String who, Supplier<OpsPort> port) {
        this.calls = new OpsCalls(who, port);
    }

    @Override
    public Integer call() throws InterruptedException {
        return calls.send("GET", live ? "/health/live" : "/health/ready");
    }
}
