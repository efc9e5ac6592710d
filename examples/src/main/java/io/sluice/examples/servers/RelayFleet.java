package io.sluice.examples.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The relay replicas of a run, each a process of its own. */
public final class RelayFleet implements AutoCloseable {
    private static final Path JAR =
            path("sluice.relay.jar", "../outbox-relay/target/sluice-outbox-relay-0.1.0-SNAPSHOT.jar");
    private static final Path FOLDER = path("sluice.demo.folder", "target/demo");
    private static final Duration START = Duration.ofSeconds(40);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final List<String> TOPICS = List.of("history", "commands", "dead-letters");

    private final Map<String, String> settings;
    private final List<RelayProcess> running = new ArrayList<>();
    private int started;

    private RelayFleet(Map<String, String> settings) {
        this.settings = Map.copyOf(settings);
    }

    /**
     * Starts replicas and waits until they have created their topics.
     *
     * @throws ExampleException when they do not; the message shows the end of a log
     */
    public static RelayFleet start(int replicas, Servers servers) {
        return start(replicas, servers, Map.of());
    }

    /** Starts replicas with further settings. */
    public static RelayFleet start(int replicas, Servers servers, Map<String, String> further) {
        Map<String, String> settings = servers.relaySettings();
        settings.putAll(further);
        RelayFleet fleet = new RelayFleet(settings);
        try {
            for (int i = 0; i < replicas; i++) {
                fleet.startOne();
            }
            fleet.awaitTopics(servers.kafka());
            return fleet;
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    private void awaitTopics(RunTopics kafka) {
        long deadline = System.nanoTime() + START.toNanos();
        while (!kafka.hasTopics(TOPICS)) {
            requireAlive();
            if (System.nanoTime() > deadline) {
                throw new ExampleException("the relays have not created their topics within " + START.toSeconds()
                        + " s; their logs in " + FOLDER + " say why");
            }
            Pause.sleep(LOOK);
        }
    }

    /** Starts one more replica. */
    public RelayProcess startOne() {
        RelayProcess relay = RelayProcess.start("relay-" + ++started, JAR, FOLDER, settings);
        running.add(relay);
        return relay;
    }

    /** Kills the oldest replica without warning. */
    public RelayProcess killOne() {
        RelayProcess victim = running.remove(0);
        victim.kill();
        return victim;
    }

    /** How many replicas run. */
    public int size() {
        return running.size();
    }

    /**
     * Fails when a replica has ended by itself.
     *
     * @throws ExampleException with the last lines of its log
     */
    public void requireAlive() {
        for (RelayProcess relay : running) {
            if (!relay.isAlive()) {
                throw new ExampleException(relay.name() + " has ended by itself; the end of its log:\n"
                        + relay.lastLines().indent(4));
            }
        }
    }

    /** Stops every replica in good order, all at the same time. */
    @Override
    public void close() {
        List<Thread> stops = running.stream()
                .map(relay -> new Thread(relay::close, "sluice-stop-" + relay.name()))
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

    private static Path path(String property, String fallback) {
        return Path.of(System.getProperty(property, fallback)).toAbsolutePath().normalize();
    }
}
