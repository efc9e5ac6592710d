package io.sluice.examples;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The relay replicas of a run. */
final class RelayFleet implements AutoCloseable {
    private final Path jar;
    private final Path folder;
    private final Map<String, String> settings;
    private final List<RelayProcess> running = new ArrayList<>();
    private int started;

    RelayFleet(Path jar, Path folder, Map<String, String> settings) {
        this.jar = jar;
        this.folder = folder;
        this.settings = Map.copyOf(settings);
    }

    RelayProcess startOne() {
        RelayProcess relay = RelayProcess.start("relay-" + ++started, jar, folder, settings);
        running.add(relay);
        return relay;
    }

    /** Kills the oldest replica without warning. */
    RelayProcess killOne() {
        RelayProcess victim = running.remove(0);
        victim.kill();
        return victim;
    }

    int size() {
        return running.size();
    }

    /**
     * Fails when a replica has ended by itself.
     *
     * @throws DemoException with the last lines of its log
     */
    void requireAlive() {
        for (RelayProcess relay : running) {
            if (!relay.isAlive()) {
                throw new DemoException(relay.name() + " has ended by itself; it last wrote:\n"
                        + relay.lastWords().indent(4));
            }
        }
    }

    /** Stops every replica in good order, all at a time. */
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
}
