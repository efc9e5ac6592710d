package io.sluice.relay;

import io.sluice.relay.ledger.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The relay as a process of its own. */
final class RelayProcess implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("relay started relay=\"([^\"]+)\"");
    private static final Path LOGS = Path.of("target", "relays").toAbsolutePath();
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final Program program;
    private final String works;

    private RelayProcess(Program program, String works) {
        this.program = program;
        this.works = works;
    }

    /** Starts it, with its settings in its environment. */
    static RelayProcess start(Map<String, String> environment) {
        return start(Main.class, environment, "relay is running", "run");
    }

    /** One that makes something of a history and needs no store. */
    static RelayProcess startStreamsOnly(Map<String, String> environment) {
        return start(Main.class, environment, "streams are running", "run", "--streams-only");
    }

    /** Another program of this class path, that ends by itself. */
    static RelayProcess startOther(Class<?> program, Map<String, String> environment, String... arguments) {
        return start(program, environment, "", arguments);
    }

    private static RelayProcess start(
            Class<?> main, Map<String, String> environment, String works, String... arguments) {
        var name = "relay-" + ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet();
        var spec = new Program.Spec(name, main, 256, false, List.of(arguments), environment);
        return new RelayProcess(Program.start(spec, LOGS), works);
    }

    /** Waits until it works; fails with its output when it ends before. */
    void awaitRunning() {
        program.awaitLine(works);
    }

    /** SIGTERM; returns the exit code. */
    int terminate() {
        return program.end();
    }

    /** Waits until it has ended; returns the exit code. */
    int awaitEnd() throws InterruptedException {
        return program.awaitEnd();
    }

    /** Stops it where it stands, or lets it go on. */
    void signal(String name) throws IOException, InterruptedException {
        program.signal(name);
    }

    /** SIGKILL: it has no chance to say good-bye. */
    void kill() throws InterruptedException {
        program.kill();
    }

    /** Whether it has neither ended nor been killed. */
    boolean isAlive() {
        return program.isAlive();
    }

    /** What it calls itself in its leases. */
    String name() {
        return output().stream()
                .map(NAME::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    /** What it printed so far. */
    List<String> output() {
        return program.lines();
    }

    @Override
    public void close() {
        program.close();
    }
}
