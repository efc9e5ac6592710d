package io.sluice.program.cli;

import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How long {@link Checks} of a command may take; a mixin of the command. */
public final class CheckTimeout {
    private static final int LEAST = 1;
    private static final int MOST = 600;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "How long all answers together may take, " + LEAST + " to " + MOST
                    + " s, ${DEFAULT-VALUE} by default: more for a store that is slow but healthy.")
    private int seconds = (int) Checks.LIMIT.toSeconds();

    /**
     * The limit of the checks.
     *
     * @throws ParameterException if it is out of range
     */
    public Duration limit() {
        if (seconds < LEAST || seconds > MOST) {
            throw new ParameterException(
                    spec.commandLine(), "--timeout must be from " + LEAST + " to " + MOST + ", was " + seconds);
        }
        return Duration.ofSeconds(seconds);
    }
}
