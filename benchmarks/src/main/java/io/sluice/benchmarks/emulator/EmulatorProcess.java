package io.sluice.benchmarks.emulator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The emulator as a program of its own. */
public final class EmulatorProcess implements AutoCloseable {
    private static final Pattern USED_KILOBYTES = Pattern.compile("used (\\d+)K");
    private static final Pattern RESIDENT_KILOBYTES = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final String LISTENS = " listens at ";

    private final Process process;
    private final String endpoint;

    private EmulatorProcess(Process process, String endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /**
     * Starts it on a free port, and returns when it listens.
     *
     * @param flags of the JVM
     * @param arguments of the program
     */
    public static EmulatorProcess start(List<String> flags, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(tool("java"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.sluice.emulator.Main", "--port", "0"));
        command.addAll(arguments);
        try {
            var process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                int at = line.indexOf(LISTENS);
                if (at >= 0) {
                    return new EmulatorProcess(process, line.substring(at + LISTENS.length()));
                }
            }
            throw new IllegalStateException("The emulator ended before it listened");
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator can't be started", e);
        }
    }

    /** Where it answers. */
    public String endpoint() {
        return endpoint;
    }

    /** The time of processors it has had, in milliseconds. */
    public double processorMillis() {
        return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e6;
    }

    /** The heap in use after a collection, in megabytes. */
    double heapMegabytes() {
        jcmd("GC.run");
        var used = USED_KILOBYTES.matcher(jcmd("GC.heap_info"));
        if (!used.find()) {
            throw new IllegalStateException("jcmd does not say how much of the heap is used");
        }
        return Long.parseLong(used.group(1)) / 1024.0;
    }

    /** What the process has of the machine's memory, in megabytes. */
    double residentMegabytes() {
        try {
            var status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
            var resident = RESIDENT_KILOBYTES.matcher(status);
            return resident.find() ? Long.parseLong(resident.group(1)) / 1024.0 : Double.NaN;
        } catch (IOException e) {
            throw new UncheckedIOException("The memory of a process can be read on Linux only", e);
        }
    }

    private String jcmd(String question) {
        try {
            var asked = new ProcessBuilder(tool("jcmd"), Long.toString(process.pid()), question).start();
            return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("jcmd can't be started", e);
        }
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
