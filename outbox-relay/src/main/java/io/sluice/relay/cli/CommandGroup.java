package io.sluice.relay.cli;

import io.sluice.relay.config.RelayConfig;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only groups subcommands: alone it reports their names. */
abstract class CommandGroup implements Runnable {
    static final int DONE = 0;
    static final int NOT_DONE = 1;
    private static final int USUAL_LIMIT = 100;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Supplier<RelayConfig> config;

    /** Reads the configuration only when a subcommand needs it. */
    CommandGroup(Supplier<RelayConfig> config) {
        this.config = config;
    }

    @Override
    public void run() {
        var names = Arrays.asList(spec.usageMessage().synopsisSubcommandLabel().split("\\|", -1));
        int last = names.size() - 1;
        var first = String.join(", ", names.subList(0, last));
        throw wrongUsage("say what to do: " + (last == 0 ? "" : first + " or ") + names.get(last));
    }

    RelayConfig config() {
        return config.get();
    }

    ParameterException wrongUsage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** The value of {@code --limit}. */
    int limit(@Nullable Integer given) {
        int limit = given == null ? USUAL_LIMIT : given;
        if (limit < 1) {
            throw wrongUsage("--limit must be 1 or more, was " + limit);
        }
        return limit;
    }

    /** Whether no relay runs; says which do. */
    boolean areRelaysStopped() throws InterruptedException {
        try {
            RunningRelays.requireNone(config());
            return true;
        } catch (IllegalStateException e) {
            printError(e.getMessage());
            return false;
        }
    }

    void print(String line) {
        var out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    void printError(@Nullable String line) {
        spec.commandLine().getErr().println(line);
    }
}
