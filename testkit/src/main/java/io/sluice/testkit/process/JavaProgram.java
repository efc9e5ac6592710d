package io.sluice.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A Java program that can be started as a process.
 *
 * @param name for people; begins the name of the file with its output
 * @param flags of the JVM
 * @param command what follows the flags: class path or jar, and arguments
 * @param environment variables that are added to this process's own
 */
public record JavaProgram(String name, List<String> flags, List<String> command, Map<String, String> environment) {
    private static final Path FOLDER = Path.of("target", "processes").toAbsolutePath();
    private static final AtomicInteger STARTED = new AtomicInteger();

    public JavaProgram {
        flags = List.copyOf(flags);
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** A class of this process's class path. */
    public static JavaProgram of(Class<?> main, String... arguments) {
        return ofClass(main.getName(), arguments).named(main.getSimpleName());
    }

    /** A class of this process's class path, by its name. */
    public static JavaProgram ofClass(String main, String... arguments) {
        return new JavaProgram(
                main,
                List.of(),
                joined(List.of("-cp", System.getProperty("java.class.path"), main), arguments),
                Map.of());
    }

    /** A jar that names its main class. */
    public static JavaProgram ofJar(Path jar, String... arguments) {
        return new JavaProgram(
                jar.getFileName().toString(), List.of(), joined(List.of("-jar", jar.toString()), arguments), Map.of());
    }

    /** The same under another name. */
    public JavaProgram named(String newName) {
        return new JavaProgram(newName, flags, command, environment);
    }

    /** A heap of this size at most, and what lets several programs start quickly side by side on a small machine. */
    public JavaProgram small(int heapMegabytes) {
        return withFlags(
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-XX:+ExitOnOutOfMemoryError");
    }

    /** A heap of this size from the beginning to the end: what the process grows by then lies outside of its heap. */
    public JavaProgram watched(int heapMegabytes) {
        return withFlags(
                "-Xms" + heapMegabytes + "m",
                "-Xmx" + heapMegabytes + "m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError");
    }

    /** With further flags of the JVM. */
    public JavaProgram withFlags(String... further) {
        return new JavaProgram(name, joined(flags, further), command, environment);
    }

    /** With further variables in its environment. */
    public JavaProgram with(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(settings);
        return new JavaProgram(name, flags, command, all);
    }

    private static List<String> joined(List<String> some, String... further) {
        List<String> all = new ArrayList<>(some);
        Collections.addAll(all, further);
        return all;
    }

    /** Starts it and returns before it works; what it prints goes into a new file below {@code target/processes}. */
    public JavaProcess start() {
        return start(
                FOLDER.resolve(name + "-" + ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet() + ".log"));
    }

    /** The same; what it prints is appended to this file. */
    public JavaProcess start(Path log) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(flags);
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            return new JavaProcess(name, builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " can't be started as a process", e);
        }
    }
}
