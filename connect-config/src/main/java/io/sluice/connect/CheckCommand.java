package io.sluice.connect;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks configurations without asking anybody. */
@Command(name = "check", description = "Prints every fault of the configurations in these files and folders.")
final class CheckCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "configurations, or folders with them")
    private List<Path> paths = List.of();

    @Override
    public Integer call() {
        var files = Main.read(paths);
        if (!Main.allWell(files, spec.commandLine())) {
            return Main.NOT_DONE;
        }
        spec.commandLine().getOut().println(files.size() + " configurations, all is well");
        return Main.DONE;
    }
}
