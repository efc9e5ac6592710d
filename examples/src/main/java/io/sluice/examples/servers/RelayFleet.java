package io.sluice.examples.servers;

import io.sluice.testkit.process.JavaProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Starts the relay replicas of a run, each a process of its own. */
public final class RelayFleet {
    private static final Path JAR =
            ProcessFleet.path("sluice.relay.jar", "../outbox-relay/target/sluice-outbox-relay-0.1.0-SNAPSHOT.jar");
    private static final List<String> TOPICS = List.of("history", "commands", "dead-letters");

    private RelayFleet() {}

    /**
     * Starts replicas and waits until they have created their topics.
     *
     * @throws ExampleException when they do not; the message shows the end of a log
     */
    public static ProcessFleet start(int replicas, Servers servers) {
        return start(replicas, servers, Map.of());
    }

    /** Starts replicas with further settings. */
    public static ProcessFleet start(int replicas, Servers servers, Map<String, String> further) {
        if (!Files.isReadable(JAR)) {
            throw new ExampleException("the relay's program " + JAR + " is not there; build it with mvn package");
        }
        Map<String, String> settings = servers.settings();
        settings.putAll(further);
        ProcessFleet fleet =
                new ProcessFleet(JavaProgram.ofJar(JAR, "run").named("relay").with(settings));
        try {
            for (int i = 0; i < replicas; i++) {
                fleet.startOne();
            }
            fleet.await(
                    () -> servers.kafka().hasTopics(TOPICS),
                    () -> "the relays have not created their topics; their logs in " + ProcessFleet.FOLDER
                            + " say why");
            return fleet;
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }
}
