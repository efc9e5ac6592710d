package io.sluice.client.readme;

import io.sluice.client.ClientConfig;
import io.sluice.client.Command;
import io.sluice.client.CommandOptions;
import io.sluice.client.Reply;
import io.sluice.client.SluiceClient;
import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.LifecycleEvents;
import io.sluice.client.lifecycle.ReaderConfig;
import java.util.concurrent.CompletionException;

/** What the README shows; its test holds the two together. */
final class ReadmeExample {
    private ReadmeExample() {}

    static void main() {
        // begin
        var config = ClientConfig.of("broker-1:9092", "orders").withReplyTopic("orders.replies.shop");
        try (var client = SluiceClient.open(config)) {
            var start = new Command.Start("order-17", "Order", "{\"sku\": \"A-1\"}");
            var reply = client.ask(start, CommandOptions.ofId("start-order-17"))
                    .reply()
                    .join();
            if (reply instanceof Reply.Rejected rejected) {
                System.err.println("not started: " + rejected.reason());
            }
        } catch (CompletionException e) {
            // A CommandException: what became of it is not known. The same id again is always right.
            System.err.println(e.getCause());
        }

        var billing = ReaderConfig.ofGroup("broker-1:9092", "orders", "billing");
        try (var reader = LifecycleEvents.start(billing, event -> {
            if (event.fact() instanceof Fact.Completed completed) {
                System.out.println(event.instance() + " returned " + completed.output());
            }
        })) {
            reader.ended().join(); // until something stops it
        }
        // end
    }
}
