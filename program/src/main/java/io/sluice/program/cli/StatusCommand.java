package io.sluice.program.cli;

import io.sluice.program.http.OpsPort;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints a running process's status. */
@Command(name = "status", description = "Prints the status of a running process as JSON.")
public final class StatusCommand implements Callable<Integer> {
    @Mixin
    private final OpsCalls calls;

    /**
     * Asks nobody yet.
     *
     * @param who is asked, such as relay
     * @param port where it is by the settings
     */
    public StatusCommand(String who, Supplier<OpsPort> port) {
        this.calls = new OpsCalls(who, port);
    }

    @Override
    public Integer call() throws InterruptedException {
        return calls.send("GET", "/status");
    }
}
