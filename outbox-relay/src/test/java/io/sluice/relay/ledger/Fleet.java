package io.sluice.relay.ledger;

import static org.awaitility.Awaitility.await;

import io.sluice.relay.RelayProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Relays as processes; what each prints goes into a file of its own. Thread-safe. */
final class Fleet implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(5);

    private final Map<String, String> environment;
    private final Takeovers takeovers;
    private final Path logs;
    private final List<Replica> replicas = new CopyOnWriteArrayList<>();
    private final AtomicInteger started = new AtomicInteger();

    Fleet(Map<String, String> environment, Takeovers takeovers, Path logs) {
        this.environment = environment;
        this.takeovers = takeovers;
        this.logs = logs;
    }

    /** Another replica starts; returns before it works. */
    Replica join() {
        int number = started.incrementAndGet();
        try {
            Files.createDirectories(logs);
            var log = logs.resolve("relay-" + number + ".log");
            Files.deleteIfExists(log);
            var replica = new Replica(number, RelayProcess.start(environment, line -> {
                takeovers.printed(number, line);
                append(log, line);
            }));
            replicas.add(replica);
            return replica;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void append(Path log, String line) {
        try {
            Files.writeString(log, line + System.lineSeparator(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Those that were started and are neither killed nor gone; one that could not start is replaced first, as a
     * supervisor does.
     */
    List<Replica> replicas() {
        var ended = replicas.stream()
                .filter(replica -> !replica.process().isAlive())
                .toList();
        for (var replica : ended) {
            if (replica.isRunning()) {
                throw new IllegalStateException(replica + " ended by itself, see " + logs);
            }
            replicas.remove(replica);
            join();
        }
        return List.copyOf(replicas);
    }

    /** Waits until every one works. */
    void awaitRunning() {
        await().atMost(START).until(() -> replicas().stream().allMatch(Replica::isRunning));
    }

    /** SIGKILL. */
    void kill(Replica replica) throws InterruptedException {
        replicas.remove(replica);
        replica.process().kill();
        takeovers.killed(
                replica.number(), replica.isRunning() ? replica.process().name() : "unnamed");
    }

    /** SIGTERM, and waits for the end; fails when it does not drain. */
    void leave(Replica replica) throws InterruptedException {
        replicas.remove(replica);
        int code = replica.process().terminate();
        if (code != 0) {
            throw new IllegalStateException(replica + " ended with " + code + ", see " + logs);
        }
    }

    /** SIGSTOP. */
    void pause(Replica replica) throws IOException, InterruptedException {
        replica.setPaused(true);
        replica.process().signal("STOP");
    }

    /** SIGCONT: a zombie, when others have taken over. */
    void wake(Replica replica) throws IOException, InterruptedException {
        replica.process().signal("CONT");
        replica.setPaused(false);
    }

    @Override
    public void close() {
        replicas.forEach(replica -> replica.process().close());
    }
}
