package io.sluice.accountkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.program.PrerequisiteException;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.cli.ProgramLine;
import io.sluice.provider.ProviderException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** The kit as a program, which ends with one of the codes of {@link ExitCode}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        ProgramLine.chooseLog();
        quieten();
        int code = commandLine(System.getenv(), System.in).execute(args);
        if (code != ExitCode.DONE) {
            System.exit(code);
        }
    }

    /** What is refused is found out on purpose, and told in the table; the client library would add pages to each. */
    private static void quieten() {
        logger("com.azure").setLevel(Level.OFF);
        List.of("io.sluice", "io.micrometer", "io.netty", "reactor")
                .forEach(name -> logger(name).setLevel(Level.ERROR));
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }

    static CommandLine commandLine(Map<String, String> environment, InputStream in) {
        return ProgramLine.of(
                new CommandLine(new KitCommand(environment, in)), KitCatalog.settingsText(), Main::isOfStart);
    }

    private static boolean isOfStart(Throwable failure) {
        return failure instanceof ProviderException || failure instanceof PrerequisiteException;
    }
}
