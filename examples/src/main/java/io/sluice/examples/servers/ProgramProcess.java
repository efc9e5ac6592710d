package io.sluice.examples.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Java program as a process of its own, with its output in a file. It ends with this process at the latest. */
public final class ProgramProcess implements AutoCloseable {
    private static final int SHOWN_LINES = 15;
    private static final Duration DRAIN = Duration.ofSeconds(25);

    private final String name;
    private final Path log;
    private final Process process;
    private final Thread reaper;

    private ProgramProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.reaper = new Thread(process::destroyForcibly, "sluice-reaper-" + name);
        Runtime.getRuntime().addShutdownHook(reaper);
    }

    /**
     * Starts {@code java} with a small heap and these arguments. What it prints goes to a file {@code <name>.log}; a
     * program of the examples logs to {@code <name>.details.log}.
     *
     * @param settings environment variables that are added to this process's own
     */
    static ProgramProcess start(String name, List<String> arguments, Path folder, Map<String, String> settings) {
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-Dsluice.demo.log=" + folder.resolve(name + ".details.log"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(settings);
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        try {
            Files.createDirectories(folder);
            return new ProgramProcess(name, log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(name + " could not be started", e);
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

    /** Whether its output has a line that contains this. */
    boolean hasPrinted(String text) {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
            return lines.anyMatch(line -> line.contains(text));
        } catch (IOException e) {
            throw new UncheckedIOException("the output of " + name + " can't be read", e);
        }
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
