package io.sluice.examples.features;

import io.sluice.examples.servers.RelayFleet;
import io.sluice.examples.servers.Servers;
import io.sluice.examples.servers.TopicReader;
import io.sluice.provider.cosmos.CosmosProvider;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;

/** Promise: no history is deleted before it is on Kafka. */
public final class PurgeExample {
    private static final Duration WAIT_FOR_RELAY = Duration.ofSeconds(2);
    private static final Duration READ = Duration.ofSeconds(30);

    private PurgeExample() {}

    public static void main(String[] arguments) throws Exception {
        Scene.play(PurgeExample::run);
    }

    static void run(Map<String, String> environment, PrintStream out) {
        try (var servers = Servers.open(environment, Scene.runName("purge"), false);
                var provider = CosmosProvider.builder()
                        .store(servers.cosmos().store())
                        .relayExpected(WAIT_FOR_RELAY)
                        .build();
                var runtime = Scene.runtime(provider)) {
            Scene.start(provider, "greeting-1", Scene.GREETING, "Ada");
            Scene.awaitStatus(provider, "greeting-1", "Completed");

            var admin = Scene.admin(provider);
            out.println("no relay runs: " + Scene.refusal(() -> admin.deleteInstance("greeting-1", false)));
            out.println("nothing is gone: " + provider.read("greeting-1").size() + " events in the store");

            try (var relays = RelayFleet.start(1, servers)) {
                out.println("with a relay: "
                        + Scene.retry("the deletion", () -> admin.deleteInstance("greeting-1", false)));
                relays.requireAlive();
            }
            var kafka = servers.kafka();
            TopicReader.readAll(
                            kafka.bootstrapServers(),
                            kafka.topic("history"),
                            READ,
                            record -> record.key() + " " + record.value())
                    .forEach(event -> out.println("on Kafka: " + event));
            out.println("turns worked " + runtime.counters().turnsAcked());
        }
    }
}
