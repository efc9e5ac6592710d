package io.sluice.relay.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
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
public final class Program implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration END = Duration.ofMinutes(2);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int SHOWN = 15;

    private final Spec spec;
    private final Process process;
    private final Path log;

    private Program(Spec spec, Process process, Path log) {
        this.spec = spec;
        this.process = process;
        this.log = log;
    }

    /**
     * What to start.
     *
     * @param name for people; also the log's
     * @param heapMegabytes taken at once and never more; or up to which it grows when it is not watched
     */
    public record Spec(
            String name,
            Class<?> main,
            int heapMegabytes,
            boolean watched,
            List<String> arguments,
            Map<String, String> environment) {}

    /** Starts it and returns before it works. */
    public static Program start(Spec spec, Path folder) {
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
            return new Program(spec, builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it prints a line that contains this, and returns what follows in the line. */
    public String awaitLine(String part) {
        var line = await(name() + " prints \"" + part + "\", see " + log)
                .atMost(START)
                .pollInterval(LOOK)
                .until(() -> lineOfLiving(part), Optional::isPresent)
                .orElseThrow();
        return line.substring(line.indexOf(part) + part.length()).strip();
    }

    private Optional<String> lineOfLiving(String part) {
        boolean alive = process.isAlive();
        var found = line(part);
        if (!alive && found.isEmpty()) {
            throw ended();
        }
        return found;
    }

    private IllegalStateException ended() {
        var lines = lines();
        var last = lines.subList(Math.max(0, lines.size() - SHOWN), lines.size());
        return new IllegalStateException(name() + " ended by itself with " + process.exitValue() + ", see " + log
                + ", which ends so:\n" + String.join("\n", last));
    }

    /** Whether it has printed a line that contains this. */
    boolean hasPrinted(String part) {
        return line(part).isPresent();
    }

    private Optional<String> line(String part) {
        return lines().stream().filter(line -> line.contains(part)).findFirst();
    }

    /** All that it has printed. */
    public List<String> lines() {
        try {
            // What is just being written may end within a character.
            return new String(Files.readAllBytes(log), UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return spec.name();
    }

    boolean isWatched() {
        return spec.watched();
    }

    long pid() {
        return process.pid();
    }

    /** Fails when it has ended by itself. */
    void mustLive() {
        if (!process.isAlive()) {
            throw ended();
        }
    }

    /** Whether it has neither ended nor been killed. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGSTOP: it stands still. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT: it goes on, a zombie when others have taken over. */
    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Sends a signal, such as STOP. */
    public void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** SIGKILL: it has no chance to say good-bye. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM, and SIGKILL when it does not hear it; returns the exit code. */
    public int end() {
        // By the handle: the process's own destroy closes its output, and the last words would be lost.
        process.toHandle().destroy();
        try {
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                kill();
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    /** Waits until it has ended by itself; returns the exit code. */
    public int awaitEnd() throws InterruptedException {
        if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(name() + " does not end, see " + log);
        }
        return process.exitValue();
    }

    /** SIGKILL; for good order see {@link #end}. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
