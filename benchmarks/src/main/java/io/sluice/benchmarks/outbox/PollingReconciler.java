package io.sluice.benchmarks.outbox;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reconciler of duroxide-cdb (its architecture, sections 7.2 and 13; version 0.1.10), for comparison only: every 2
 * s it asks all partitions for the pending intents that are at least 2 s old, and delivers them one by one. The payload
 * is created in its target's partition; 201 and 409 both mean delivered, and the intent is deleted. What fails stays
 * for the next time. There is no receipt: a document that was consumed meanwhile is created again when its intent could
 * not be deleted.
 */
final class PollingReconciler implements AutoCloseable {
    /** Its default interval. */
    static final Duration INTERVAL = Duration.ofSeconds(2);
    /** The default age from which it picks an intent up: the writer's own try has had its time then. */
    static final Duration THRESHOLD = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(PollingReconciler.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PENDING =
            "SELECT * FROM c WHERE c.type = 'outbox_intent' AND c.status = 'pending'" + " AND c.createdAt <= @before";
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final CosmosAsyncContainer container;
    private final InstantSource clock;
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();

    PollingReconciler(CosmosAsyncContainer container, InstantSource clock) {
        this.container = container;
        this.clock = clock;
    }

    /** Looks now, and then at every interval; at once when the last look took longer. */
    void start() {
        var unused = loop.scheduleAtFixedRate(this::lookQuietly, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void lookQuietly() {
        try {
            look();
        } catch (CosmosException e) {
            LOG.atWarn().setCause(e).log("the next look goes on");
        }
    }

    /**
     * One look: delivers the intents that are due.
     *
     * @return how many intents were delivered and deleted
     * @throws CosmosException when the store can't be asked
     */
    int look() {
        var query =
                new SqlQuerySpec(PENDING, List.of(new SqlParameter("@before", clock.millis() - THRESHOLD.toMillis())));
        int settled = 0;
        for (var intent : Objects.requireNonNull(
                container.queryItems(query, JsonNode.class).collectList().block())) {
            settled += deliver(intent) ? 1 : 0;
        }
        return settled;
    }

    private boolean deliver(JsonNode intent) {
        try {
            create(intent);
            delete(intent);
            return true;
        } catch (CosmosException | IllegalStateException e) {
            LOG.atDebug().setCause(e).log("an intent stays for the next look");
            return false;
        }
    }

    private void create(JsonNode intent) {
        try {
            var target = new PartitionKey(intent.path("targetInstanceId").asText());
            container
                    .createItem(JSON.readTree(intent.path("payload").asText()), target, new CosmosItemRequestOptions())
                    .block();
        } catch (CosmosException e) {
            if (e.getStatusCode() != CONFLICT) {
                throw e;
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an intent's payload is no JSON", e);
        }
    }

    private void delete(JsonNode intent) {
        try {
            var source = new PartitionKey(intent.path("instanceId").asText());
            container.deleteItem(intent.path("id").asText(), source).block();
        } catch (CosmosException e) {
            if (e.getStatusCode() != NOT_FOUND) {
                throw e;
            }
        }
    }

    /** Looks no more. */
    @Override
    public void close() {
        loop.shutdownNow();
    }
}
