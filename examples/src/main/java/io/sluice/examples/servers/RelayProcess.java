package io.sluice.examples.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A relay replica as a process of its own, with its log in a file. It ends with this process at the latest. */
public final class RelayProcess implements AutoCloseable {
    private static final int SHOWN_LINES = 15;
    private static final Duration DRAIN = Duration.ofSeconds(25);

    private final String name;
    private final Path log;
    private final Process process;
    private final Thread reaper;

    private RelayProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.reaper = new Thread(process::destroyForcibly, "sluice-reaper-" + name);
        Runtime.getRuntime().addShutdownHook(reaper);
    }

    /**
     * Starts {@code java -jar <jar> run}.
     *
     * @throws ExampleException when there is no such program
     */
    static RelayProcess start(String name, Path jar, Path folder, Map<String, String> settings) {
        if (!Files.isReadable(jar)) {
            throw new ExampleException("the relay's program " + jar + " is not there; build it with mvn package");
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                java, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", jar.toString(), "run"));
        builder.environment().putAll(settings);
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        try {
            Files.createDirectories(folder);
            return new RelayProcess(name, log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("relay " + name + " could not be started", e);
        }
    }

    /** Its name in messages and of its log. */
    public String name() {
        return name;
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it as a power cut would: SIGKILL, nothing is finished or released. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(DRAIN.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it in good order: SIGTERM, and SIGKILL if it takes too long. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(DRAIN.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        if (!Thread.currentThread().equals(reaper)) {
            removeReaper();
        }
    }

    /** The end of its log, for a message about it. */
    String lastLines() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return String.join(
                    System.lineSeparator(), lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
        } catch (IOException e) {
            return "its log " + log + " can't be read: " + e;
        }
    }

    private void removeReaper() {
        try {
            Runtime.getRuntime().removeShutdownHook(reaper);
        } catch (IllegalStateException e) {
            // The virtual machine is going down already; the hook then finds the process dead.
        }
    }
}
