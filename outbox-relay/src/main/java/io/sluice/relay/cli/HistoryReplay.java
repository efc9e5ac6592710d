package io.sluice.relay.cli;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.program.PrerequisiteException;
import io.sluice.relay.feed.BoundedAnswer;
import io.sluice.relay.feed.RangeReader;
import io.sluice.relay.history.Replay;
import io.sluice.relay.runtime.RelayConnections;
import io.sluice.relay.topic.TopicAdmin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The command {@code replay}: publishes history of a container to a topic that is not the relay's own. */
record HistoryReplay(RelayConnections connections, String topic) {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final String EXECUTIONS = "SELECT DISTINCT VALUE c.executionId FROM c WHERE c.type = 'history'";
    private static final String EVENTS = "SELECT * FROM c WHERE c.type = 'history' AND c.executionId = @execution"
            + " AND c.eventId > @after ORDER BY c.eventId";

    /**
     * Publishes all executions of one instance, page by page, as they may not fit into memory. Creates no topic for an
     * instance without history.
     */
    long instance(String instance) throws InterruptedException {
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance));
        var query = connections.feed().container().queryItems(EXECUTIONS, options, Long.class);
        var executions = BoundedAnswer.of(query.collectSortedList(), TIMEOUT, "for the executions of " + instance)
                .orElseThrow();
        if (executions.isEmpty()) {
            return 0;
        }
        return with(replay -> {
            long published = 0;
            for (long execution : executions) {
                published += replay.execution(after -> events(options, execution, after));
            }
            return published;
        });
    }

    private List<JsonNode> events(CosmosQueryRequestOptions partition, long execution, long after) {
        var query =
                new SqlQuerySpec(EVENTS, new SqlParameter("@execution", execution), new SqlParameter("@after", after));
        var page = connections
                .feed()
                .container()
                .queryItems(query, partition, JsonNode.class)
                .byPage(connections.config().feed().pageSize())
                .filter(some -> !some.getResults().isEmpty())
                .next();
        return BoundedAnswer.of(page, TIMEOUT, "for the events of execution " + execution)
                .map(FeedResponse::getResults)
                .orElse(List.of());
    }

    /**
     * Publishes the events of all instances since a point in time, up to now.
     *
     * @throws PrerequisiteException if partitions were split or merged meanwhile, so that some events may be left out
     */
    long since(Instant since) throws InterruptedException {
        int pageSize = connections.config().feed().pageSize();
        var now = connections.store().clock().instant();
        return with(replay -> {
            long published = 0;
            var ranges = connections.feed().physicalRanges();
            for (var range : ranges) {
                published += replay.between(
                        since, now, new RangeReader(connections.feed().container(), range, pageSize));
            }
            if (!connections.feed().physicalRanges().equals(ranges)) {
                throw new PrerequisiteException(
                        "the container's physical partitions have changed meanwhile, some events may be left out: run the replay again",
                        null);
            }
            return published;
        });
    }

    private interface Task {
        long with(Replay replay) throws InterruptedException, ExecutionException;
    }

    private long with(Task task) throws InterruptedException {
        var provisioning = connections.config().kafka().provisioning();
        try (var admin = connections.kafka().admin()) {
            new TopicAdmin(admin, connections.kafka(), connections.topics())
                    .ensureOtherTopic(topic, provisioning.rules(provisioning.atStart()));
        }
        try (var producer = connections.kafka().idempotent(topic)) {
            return task.with(new Replay(connections.topics(), connections.eventSource(), producer, topic));
        } catch (ExecutionException e) {
            throw new PrerequisiteException("Kafka didn't take an event for " + topic + ": " + e.getCause(), e);
        }
    }
}
