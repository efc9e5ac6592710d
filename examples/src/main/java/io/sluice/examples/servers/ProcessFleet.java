package io.sluice.examples.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Processes of one program that share the work of a run. */
public final class ProcessFleet implements AutoCloseable {
    /** Where their output goes. */
    public static final Path FOLDER = path("sluice.demo.folder", "target/demo");

    /** Nine processes start at once on two processors; only one that is stuck takes this long. */
    private static final Duration START = Duration.ofMinutes(3);

    private static final Duration LOOK = Duration.ofMillis(100);

    private final String program;
    private final List<String> arguments;
    private final Map<String, String> settings;
    private final List<ProgramProcess> running = new ArrayList<>();
    private int started;

    /**
     * None runs yet.
     *
     * @param program begins the name of each process
     * @param arguments of the command {@code java}
     * @param settings environment variables of each process
     */
    public ProcessFleet(String program, List<String> arguments, Map<String, String> settings) {
        this.program = program;
        this.arguments = List.copyOf(arguments);
        this.settings = Map.copyOf(settings);
    }

    /** Starts one more process. */
    public ProgramProcess startOne() {
        ProgramProcess process = ProgramProcess.start(program + "-" + ++started, arguments, FOLDER, settings);
        running.add(process);
        return process;
    }

    /** Kills the oldest process without warning. */
    public ProgramProcess killOne() {
        ProgramProcess victim = running.remove(0);
        victim.kill();
        return victim;
    }

    /**
     * Waits until all processes have printed this.
     *
     * @throws ExampleException when one has ended, or has not printed it in time
     */
    public void awaitPrinted(String text) {
        await(
                () -> running.stream().allMatch(process -> process.hasPrinted(text)),
                () -> running.stream()
                        .filter(process -> !process.hasPrinted(text))
                        .map(process -> process.name() + " has not printed '" + text + "'; the end of its log:\n"
                                + process.lastLines().indent(4))
                        .collect(Collectors.joining("\n")));
    }

    /** Waits for what all do when they have started; fails with what is missing, or when a process has ended. */
    void await(BooleanSupplier started, Supplier<String> missing) {
        long deadline = System.nanoTime() + START.toNanos();
        while (!started.getAsBoolean()) {
            requireAlive();
            if (System.nanoTime() > deadline) {
                throw new ExampleException("after " + START.toSeconds() + " s " + missing.get());
            }
            Pause.sleep(LOOK);
        }
    }

    /** How many processes run. */
    public int size() {
        return running.size();
    }

    /**
     * Fails when a process has ended by itself.
     *
     * @throws ExampleException with the last lines of its log
     */
    public void requireAlive() {
        for (ProgramProcess process : running) {
            if (!process.isAlive()) {
                throw new ExampleException(process.name() + " has ended by itself; the end of its log:\n"
                        + process.lastLines().indent(4));
            }
        }
    }

    /** Stops every process in good order, all at the same time. */
    @Override
    public void close() {
        List<Thread> stops = running.stream()
                .map(process -> new Thread(process::close, "sluice-stop-" + process.name()))
                .toList();
        running.clear();
        stops.forEach(Thread::start);
        for (Thread stop : stops) {
            try {
                stop.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static Path path(String property, String fallback) {
        return Path.of(System.getProperty(property, fallback)).toAbsolutePath().normalize();
    }
}
