package io.sluice.examples.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the commands of the pages as they are written, each page in a shell and a working copy of its own, and holds the
 * programs to the output that the page shows. A block that can't run here says why in its {@link Mark}. The test needs
 * what {@code mvn package} makes, and therefore runs after it.
 */
@Tag("packaged")
class PagesIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Others on this machine may use these; pages run with free ones in their place. */
    private static final Set<Integer> PORTS = Set.of(8081, 8090, 9092);

    @TempDir
    Path folder;

    static Stream<String> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            List<String> durabletask = docs.map(page -> ROOT.relativize(page).toString())
                    .filter(name -> name.matches("docs/durabletask.*\\.md"))
                    .sorted()
                    .toList();
            return Stream.concat(
                    Stream.of("README.md", "docs/quick-start.md", "docs/dispatch.md", "docs/deploying.md"),
                    durabletask.stream());
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void every_command_works_and_prints_what_the_page_shows(String name) throws IOException {
        Page page = Page.read(ROOT, name);
        for (int port : PORTS) {
            page = page.withPort(port, FreePorts.of(1).get(0));
        }

        try (CosmosEmulator account = CosmosEmulator.start(EmulatorConfig.inMemory());
                WorkingCopy copy = new WorkingCopy(ROOT, folder.resolve("sluice"));
                Shell shell = new Shell(copy.folder(), folder, environment(account))) {
            boolean shown = false;
            for (Block block : page.blocks()) {
                assertThat(block.language())
                        .as("language of the block in line %d of %s", block.line(), name)
                        .isNotEmpty();
                if (block.isCommands()) {
                    shown = run(block, shell);
                } else if (block.isOutput() && shown) {
                    compare(block, shell);
                }
            }
            shell.stopTerminals();
        }
    }

    /** In place of the account that a page can't name, and of the host's ports, which pages leave to their defaults. */
    private static Map<String, String> environment(CosmosEmulator account) throws IOException {
        List<Integer> ports = FreePorts.of(2);
        return Map.of(
                "COSMOS_ENDPOINT", account.endpoint(),
                "COSMOS_KEY", account.key(),
                "SLUICE_HOST_PORT", ports.get(0).toString(),
                "SLUICE_HOST_OPS_PORT", ports.get(1).toString());
    }

    /** Returns whether it was run, so that the output below it can be compared. */
    private static boolean run(Block block, Shell shell) {
        if (block.mark() instanceof Mark.NotRun) {
            return false;
        }
        if (block.mark() instanceof Mark.OwnTerminal) {
            shell.start(block.text());
        } else if (block.mark() instanceof Mark.Fails) {
            shell.runFailing(block.text());
        } else {
            shell.run(block.text());
        }
        return true;
    }

    private static void compare(Block block, Shell shell) {
        if (block.mark() instanceof Mark.AfterStop) {
            shell.stopTerminals();
        }
        shell.awaitOutput(new Listing(block.text()));
    }
}
