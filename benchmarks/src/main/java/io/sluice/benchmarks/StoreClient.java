package io.sluice.benchmarks;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writes what a runtime's turns leave to the relay, by the plain SDK, so that a writer costs as little as possible. */
final class StoreClient implements AutoCloseable {
    private static final int WRITERS = 8;
    private static final int EVENTS_PER_TURN = 20;

    private final CosmosAsyncClient client;
    private final CosmosAsyncContainer container;

    StoreClient(CosmosStoreConfig config) {
        this.client = config.clientBuilder().buildAsyncClient();
        this.container = client.getDatabase(config.database()).getContainer(config.container());
    }

    /** The key of the only intent of a source. */
    static String key(String source) {
        return source + ":1:0123456789abcdef.000001";
    }

    /** Commits the intent of a source, left to the relay. */
    Mono<Void> writeIntent(String source, String target) {
        var key = key(source);
        long now = System.currentTimeMillis();
        var message = JsonNodeFactory.instance
                .objectNode()
                .put("id", "outbox:" + key)
                .put("instanceId", target)
                .put("type", "orch_queue")
                .put("workItem", "{\"CancelInstance\":{\"instance\":\"" + target + "\",\"reason\":\"\"}}")
                .put("dispatchSlot", 0)
                .put("visibleAt", now)
                .put("enqueuedAt", now)
                .put("attemptCount", 0);
        var intent = JsonNodeFactory.instance
                .objectNode()
                .put("id", "intent:" + key)
                .put("instanceId", source)
                .put("type", "outbox_intent")
                .put("targetInstanceId", target)
                .put("targetDocumentType", "orch_queue")
                .put("payload", message.toString())
                .put("idempotencyKey", key)
                .put("status", "pending")
                .put("createdAt", now)
                .put("attemptCount", 0)
                .putNull("lastAttemptAt")
                .put("deliverAfter", now);
        return container.createItem(intent, new PartitionKey(source), null).then();
    }

    /**
     * Commits turns of twenty events, of new instances.
     *
     * @param run names the instances
     * @param turns of an instance each
     * @return how many events there are
     */
    int writeEvents(String run, int turns) {
        Flux.range(0, turns)
                .flatMap(turn -> container.executeCosmosBatch(turn("order-" + run + "-" + turn)), WRITERS)
                .doOnNext(answer -> {
                    if (!answer.isSuccessStatusCode()) {
                        throw new IllegalStateException("a turn was refused: " + answer.getStatusCode());
                    }
                })
                .blockLast();
        return turns * EVENTS_PER_TURN;
    }

    private static CosmosBatch turn(String instance) {
        var batch = CosmosBatch.createCosmosBatch(new PartitionKey(instance));
        for (int event = 1; event <= EVENTS_PER_TURN; event++) {
            batch.createItemOperation(event(instance, event));
        }
        return batch;
    }

    private static ObjectNode event(String instance, int event) {
        var data = "{\"event_id\":" + event + ",\"source_event_id\":null,\"instance_id\":\"" + instance
                + "\",\"execution_id\":1,\"timestamp_ms\":5,\"duroxide_version\":\"0.1.32\","
                + "\"type\":\"ExternalEvent\",\"name\":\"item-added\",\"data\":\"{\\\"sku\\\":\\\"0815\\\",\\\"count\\\":1}\"}";
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", instance + ":history:1:" + event)
                .put("instanceId", instance)
                .put("type", "history")
                .put("executionId", 1)
                .put("eventId", event)
                .put("eventData", data);
    }

    @Override
    public void close() {
        client.close();
    }
}
