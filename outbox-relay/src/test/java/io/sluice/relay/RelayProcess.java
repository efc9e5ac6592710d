package io.sluice.relay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The relay as a process of its own. */
public final class RelayProcess implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("relay started relay=\"([^\"]+)\"");

    private final Process process;
    private final List<String> output = new ArrayList<>();
    /** True once it says that it runs, false when its output ends before. */
    private final CompletableFuture<Boolean> running = new CompletableFuture<>();

    private final CountDownLatch allRead = new CountDownLatch(1);
    private final Consumer<String> listener;

    private RelayProcess(Process process, Consumer<String> listener) {
        this.process = process;
        this.listener = listener;
        var reader = new Thread(this::read, "relay-output");
        reader.setDaemon(true);
        reader.start();
    }

    static RelayProcess start(Map<String, String> environment) throws IOException {
        return start(environment, line -> {});
    }

    /** One that makes something of a history and needs no store. */
    static RelayProcess startStreamsOnly(Map<String, String> environment) throws IOException {
        return start(environment, line -> {}, "run", "--streams-only");
    }

    /** Starts it, with its settings in its environment; every line it prints is handed on at once. */
    public static RelayProcess start(Map<String, String> environment, Consumer<String> lines) throws IOException {
        return start(environment, lines, "run");
    }

    private static RelayProcess start(Map<String, String> environment, Consumer<String> lines, String... arguments)
            throws IOException {
        return start(Main.class, environment, lines, arguments);
    }

    /** Another program of this class path, that ends by itself. */
    static RelayProcess startOther(Class<?> program, Map<String, String> environment, String... arguments)
            throws IOException {
        return start(program, environment, line -> {}, arguments);
    }

    private static RelayProcess start(
            Class<?> program, Map<String, String> environment, Consumer<String> lines, String... arguments)
            throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(List.of(
                java,
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return new RelayProcess(builder.redirectErrorStream(true).start(), lines);
    }

    private void read() {
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (output) {
                    output.add(line);
                }
                listener.accept(line);
                if (line.contains("relay is running") || line.contains("streams are running")) {
                    running.complete(true);
                }
            }
        } catch (IOException e) {
            allRead.countDown(); // the process is gone, and its output with it
        } finally {
            running.complete(false);
            allRead.countDown();
        }
    }

    /** Waits until it works; fails with its output when it ends before. */
    public void awaitRunning() throws InterruptedException {
        boolean runs;
        try {
            runs = running.get(180, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the relay does not run: " + output(), e);
        }
        if (!runs || !process.isAlive()) {
            throw new AssertionError("the relay does not run: " + output());
        }
    }

    /** SIGTERM; returns the exit code. */
    public int terminate() throws InterruptedException {
        // By the handle: the process's own destroy closes its output, and the last words would be lost.
        process.toHandle().destroy();
        return awaitEnd();
    }

    /** Waits until it has ended and all it said is here; returns the exit code. */
    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new AssertionError("the relay does not end: " + output());
        }
        if (!allRead.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the output of the relay does not end");
        }
        return process.exitValue();
    }

    /** Stops it where it stands, or lets it go on. */
    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** SIGKILL: it has no chance to say good-bye. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Whether it has neither ended nor been killed. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it calls itself in its leases. */
    public String name() {
        return output().stream()
                .map(NAME::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    /** What it printed so far. */
    public List<String> output() {
        synchronized (output) {
            return List.copyOf(output);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
