package io.sluice.examples.features;

import io.sluice.client.ClientConfig;
import io.sluice.client.Command;
import io.sluice.client.CommandOptions;
import io.sluice.client.SluiceClient;
import io.sluice.examples.servers.RelayFleet;
import io.sluice.examples.servers.Servers;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.history.HistoryEvent;
import java.io.PrintStream;
import java.util.Map;

/** Promise: a command is carried out once, however often it is sent, and its sender gets a reply. */
public final class ClientExample {
    private ClientExample() {}

    public static void main(String[] arguments) throws Exception {
        Scene.play(ClientExample::run);
    }

    static void run(Map<String, String> environment, PrintStream out) throws Exception {
        try (var servers = Servers.open(environment, Scene.runName("client"), false);
                var relays = RelayFleet.start(1, servers);
                var provider =
                        CosmosProvider.builder().store(servers.cosmos().store()).build();
                var runtime = Scene.runtime(provider);
                var client = SluiceClient.open(ClientConfig.of(
                                servers.kafka().bootstrapServers(),
                                servers.kafka().prefix())
                        .withReplyTopic(servers.kafka().create("replies")))) {
            var command = new Command.Start("greeting-1", Scene.GREETING, "Ada");
            var id = CommandOptions.ofId("start-greeting-1");
            out.println("first reply:  " + client.ask(command, id).reply().get());
            // The sender crashed before it read the reply: it sends the command again, under the same id.
            out.println("second reply: " + client.ask(command, id).reply().get());

            Scene.awaitStatus(provider, "greeting-1", "Completed");
            out.println("one instance, one history: "
                    + provider.read("greeting-1").stream()
                            .map(HistoryEvent::type)
                            .toList());
            out.println("relays " + relays.size() + ", activities run "
                    + runtime.counters().activitiesAcked());
        }
    }
}
