package io.sluice.examples.servers;

import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Processes of one program that share the work of a run. */
public final class ProcessFleet implements AutoCloseable {
    /** Where their output goes. */
    public static final Path FOLDER = path("sluice.demo.folder", "target/demo");

    /** Nine processes start at once on two processors; only one that is stuck takes this long. */
    private static final Duration START = Duration.ofMinutes(3);

    private static final int HEAP_MEGABYTES = 256;
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

    private final JavaProgram program;
    private final List<JavaProcess> running = new ArrayList<>();
    private int started;

    /**
     * None runs yet.
     *
     * @param program its name begins the name of each process, and of its log; what it logs goes to a file {@code
     *     <name>.details.log}
     */
    public ProcessFleet(JavaProgram program) {
        this.program = program;
    }

    /** Starts one more process. */
    public JavaProcess startOne() {
        String name = program.name() + "-" + ++started;
        JavaProcess process = program.named(name)
                .small(HEAP_MEGABYTES)
                .withFlags("-Dsluice.demo.log=" + FOLDER.resolve(name + ".details.log"))
                .start(FOLDER.resolve(name + ".log"));
        running.add(process);
        return process;
    }

    /** Kills the oldest process without warning. */
    public JavaProcess killOne() {
        JavaProcess victim = running.remove(0);
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
                        .map(process -> process.name() + " has not printed '" + text + "', " + process.lastLines())
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
            Pause.sleep(CHECK_INTERVAL);
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
        for (JavaProcess process : running) {
            if (!process.isAlive()) {
                throw new ExampleException(process.name() + " has ended by itself, " + process.lastLines());
            }
        }
    }

    /** Stops every process in good order, all at the same time. */
    @Override
    public void close() {
        List<Thread> stops = running.stream()
                .map(process -> new Thread(process::end, "sluice-stop-" + process.name()))
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
