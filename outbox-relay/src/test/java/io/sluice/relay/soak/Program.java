package io.sluice.relay.soak;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A program of this class path as a process; what it prints goes into a file. */
final class Program implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration END = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(100);

    private final String name;
    private final Process process;
    private final Path log;

    private Program(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * What to start.
     *
     * @param name for people; also the log's
     * @param heapMegabytes taken at once and never more; or up to which it grows when it is not watched
     */
    record Spec(
            String name,
            Class<?> main,
            int heapMegabytes,
            boolean watched,
            List<String> arguments,
            Map<String, String> environment) {
        Spec named(String other) {
            return new Spec(other, main, heapMegabytes, watched, arguments, environment);
        }
    }

    /** Starts it and returns before it works. */
    static Program start(Spec spec, Path folder) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(
                List.of(java, "-Xmx" + spec.heapMegabytes() + "m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
        // A watched one has its whole heap from the beginning: what its RSS grows by lies outside of it.
        command.addAll(
                spec.watched()
                        ? List.of("-Xms" + spec.heapMegabytes() + "m", "-XX:+AlwaysPreTouch")
                        : List.of("-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), spec.main().getName()));
        command.addAll(spec.arguments());
        var log = folder.resolve(spec.name() + ".log");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(spec.environment());
        try {
            Files.createDirectories(folder);
            return new Program(spec.name(), builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it prints a line that contains this, and returns the line. */
    String awaitLine(String part) {
        return await(name + " prints \"" + part + "\", see " + log)
                .atMost(START)
                .pollInterval(LOOK)
                .until(() -> lineOfLiving(part), Optional::isPresent)
                .orElseThrow();
    }

    private Optional<String> lineOfLiving(String part) {
        boolean alive = process.isAlive();
        var found = line(part);
        if (!alive && found.isEmpty()) {
            throw new IllegalStateException(name + " ended with " + process.exitValue() + ", see " + log);
        }
        return found;
    }

    /** The last line so far that begins with this; such a line must have been printed. */
    String lastLine(String begin) {
        try (var lines = Files.lines(log)) {
            return lines.filter(line -> line.startsWith(begin))
                    .reduce((before, later) -> later)
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has printed a line that contains this. */
    boolean hasPrinted(String part) {
        return line(part).isPresent();
    }

    private Optional<String> line(String part) {
        try (var lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(part)).findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    /** Fails when it has ended by itself. */
    void mustLive() {
        if (!process.isAlive()) {
            throw new IllegalStateException(name + " ended by itself with " + process.exitValue() + ", see " + log);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends a signal, such as STOP or CONT. */
    void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM, and SIGKILL for who does not hear it. */
    @Override
    public void close() {
        process.toHandle().destroy();
        try {
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
