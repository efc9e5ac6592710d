package io.sluice.examples.features;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.examples.servers.RelayFleet;
import io.sluice.examples.servers.Servers;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.work.DispatchSlot;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** Promise: next to Rust runtimes on the same container nothing is lost, and what a Sluice turn sends arrives once. */
public final class MixedFleetExample {
    private MixedFleetExample() {}

    public static void main(String[] arguments) throws Exception {
        Scene.play(MixedFleetExample::run);
    }

    static void run(Map<String, String> environment, PrintStream out) {
        try (var servers = Servers.open(environment, Scene.runName("mixed"), false);
                var provider = CosmosProvider.builder()
                        .store(servers.cosmos().store())
                        .fleet(Fleet.MIXED)
                        .immediateDelivery(false)
                        .build();
                var runtime = Scene.runtime(provider)) {
            var store = servers.cosmos().store();
            Scene.start(provider, "waiting-1", Scene.WAITING, "go");
            Scene.start(provider, "family-1", Scene.FAMILY, "Ada");
            Scene.awaitStatus(provider, "waiting-1", "Running");
            Scene.await("the intent of family-1", () -> !intents(store).isEmpty());
            out.println("a Sluice turn sends to its child; Rust's reconciler skips it: " + intents(store));

            store.container().createItem(rustIntent("rust-1", "waiting-1")).block();
            out.println("a Rust runtime dies before it delivers: " + intents(store));

            try (var relays = RelayFleet.start(1, servers, Map.of("SLUICE_FLEET", "mixed"))) {
                Scene.awaitStatus(provider, "family-1", "Completed");
                Scene.awaitStatus(provider, "waiting-1", "Completed");
                Scene.await("all intents", () -> intents(store).isEmpty());
                relays.requireAlive();
            }
            out.println("the relay has delivered both, turns worked "
                    + runtime.counters().turnsAcked());
        }
    }

    /** Source and status of the intents still to be delivered. */
    private static List<String> intents(CosmosStore store) {
        return store.container()
                .queryItems(
                        "SELECT c.instanceId, c.status FROM c WHERE c.type = 'outbox_intent'",
                        new CosmosQueryRequestOptions(),
                        ObjectNode.class)
                .toStream()
                .map(row -> row.path("instanceId").asText() + " "
                        + row.path("status").asText())
                .toList();
    }

    /**
     * What a turn of duroxide-cdb leaves in its own partition for another instance: here, the event that this one waits
     * for.
     */
    private static ObjectNode rustIntent(String source, String target) {
        long now = System.currentTimeMillis();
        var message = document("message-1", target, "orch_queue")
                .put("workItem", WorkItemJson.encode(new WorkItem.ExternalRaised(target, "go", "from Rust")))
                .put("dispatchSlot", DispatchSlot.of(target))
                .put("visibleAt", now)
                .put("enqueuedAt", now)
                .putNull("lockToken")
                .putNull("lockedUntil")
                .put("attemptCount", 0)
                .putNull("executionId")
                .putNull("activityId")
                .putNull("sessionId");
        return document("intent:" + source + ":1:1", source, "outbox_intent")
                .put("targetInstanceId", target)
                .put("targetDocumentType", "orch_queue")
                .put("payload", message.toString())
                .put("idempotencyKey", source + ":1:1")
                .put("status", "pending")
                .put("createdAt", now)
                .put("attemptCount", 0)
                .putNull("lastAttemptAt");
    }

    private static ObjectNode document(String id, String instance, String type) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("instanceId", instance)
                .put("type", type);
    }
}
