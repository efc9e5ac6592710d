package io.sluice.examples.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A shell that keeps its variables from one block to the next, as a reader's does. A block in a terminal of its own has
 * the variables of that moment and runs in the background. No process outlives the shell, also if this JVM is killed:
 * the shell then reads the end of its input and ends them.
 */
final class Shell implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SHOWN_LINES = 15;
    private static final Pattern FOREIGN_VARIABLE = Pattern.compile("(COSMOS|KAFKA|SLUICE)_?\\w*");
    private static final String BEGIN = """
            set -emuo pipefail
            trap 'for job in $(jobs -p); do kill -- -$job; done' EXIT
            """;
    /** A group gets the signal as from a Ctrl-C: the terminal's shell waits for its program, which must end by it. */
    private static final String STOP = """
            kill -- -%1$s || true; code=0; wait %1$s || code=$?; echo "stopped %1$s $code"
            """;

    private final Path folder;
    private final Path answers;
    private final Process process;
    private final Writer input;
    private final List<Path> outputs = new ArrayList<>();
    private final List<String> terminals = new ArrayList<>();

    /**
     * Starts it.
     *
     * @param directory where it works
     * @param folder for its own files
     * @param environment besides this process's, of which no setting of a program is kept
     */
    Shell(Path directory, Path folder, Map<String, String> environment) throws IOException {
        this.folder = folder;
        this.answers = folder.resolve("answers");
        var builder = new ProcessBuilder("bash")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(answers.toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> FOREIGN_VARIABLE.matcher(name).matches());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m");
        builder.environment().putAll(environment);
        process = builder.start();
        input = process.outputWriter(StandardCharsets.UTF_8);
        tell(BEGIN);
    }

    /** Runs commands, each of which has to end with 0. */
    void run(String commands) {
        Path script = script(commands);
        tell("source " + redirected(script) + "; echo 'done " + script + "'\n");
        awaitAnswer("done " + Pattern.quote(script.toString()), "the commands have not ended");
    }

    /** Runs a command that has to end with another code than 0. */
    void runFailing(String command) {
        Path script = script(command);
        tell("if source " + redirected(script) + "; then echo 'no failure'; else echo 'failed " + script + "'; fi\n");
        awaitAnswer("failed " + Pattern.quote(script.toString()), "the command has not failed");
    }

    /** Starts commands in the background. */
    void start(String commands) {
        Path script = script(commands);
        tell("(trap : TERM; source " + script + ") " + redirections(script) + " & echo \"started " + script
                + " $!\"\n");
        terminals.add(awaitAnswer("started " + Pattern.quote(script.toString()) + " (\\d+)", "it has not started"));
    }

    /** Waits until some program has printed this. */
    void awaitOutput(Listing listing) {
        await(() -> outputs.stream().anyMatch(output -> listing.isIn(read(output))), "not printed:\n" + listing.text());
    }

    /** Ends what runs in the background, the last first, as by SIGTERM; each must end by itself. */
    void stopTerminals() {
        while (!terminals.isEmpty()) {
            String terminal = terminals.remove(terminals.size() - 1);
            tell(STOP.formatted(terminal));
            String code = awaitAnswer("stopped " + terminal + " (\\d+)", "a program has not ended by SIGTERM");
            assertThat(code).as("exit code after SIGTERM%n%s", lastLines()).isIn("0", "143");
        }
    }

    /** Ends the shell, and what still runs. */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> left = process.descendants().toList();
        left.forEach(ProcessHandle::destroyForcibly);
        input.close();
        process.destroyForcibly().onExit().join();
        left.forEach(handle -> handle.onExit().join());
    }

    private Path script(String commands) {
        Path script = folder.resolve("block-" + outputs.size() + ".sh");
        outputs.add(output(script));
        try {
            Files.createFile(output(script));
            return Files.writeString(script, commands + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path output(Path script) {
        return script.resolveSibling(script.getFileName() + ".out");
    }

    private static String redirected(Path script) {
        return script + " " + redirections(script);
    }

    private static String redirections(Path script) {
        return "</dev/null >" + output(script) + " 2>&1";
    }

    private void tell(String line) {
        try {
            input.write(line);
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the shell has ended\n" + lastLines(), e);
        }
    }

    /** Waits for a line of the shell itself; returns the part in brackets. */
    private String awaitAnswer(String line, String otherwise) {
        Pattern expected = Pattern.compile("(?m)^" + line + "$");
        await(() -> !process.isAlive() || expected.matcher(read(answers)).find(), otherwise);
        Matcher found = expected.matcher(read(answers));
        assertThat(found.find()).as("%s%n%s", otherwise, lastLines()).isTrue();
        return found.groupCount() == 0 ? "" : found.group(1);
    }

    private void await(Callable<Boolean> condition, String otherwise) {
        try {
            Awaitility.await().atMost(LIMIT).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(otherwise + "\n" + lastLines(), e);
        }
    }

    private String lastLines() {
        StringBuilder text = new StringBuilder();
        Stream.concat(outputs.stream(), Stream.of(answers)).forEach(output -> {
            List<String> lines = read(output).lines().toList();
            text.append("--- ").append(output.getFileName()).append('\n');
            lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size())
                    .forEach(line -> text.append(line).append('\n'));
        });
        return text.toString();
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
