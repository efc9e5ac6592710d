package io.sluice.provider.crash;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.CosmosStore;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What lies in the partitions of a story, read past the provider. */
final class Contents {
    /** What a document says but for ids, times, tokens and owners, which differ from one run to the next. */
    private static final List<String> SAID = List.of(
            "status",
            "output",
            "currentExecutionId",
            "orchestrationName",
            "orchestrationVersion",
            "parentInstanceId",
            "executionId",
            "eventData",
            "key",
            "value",
            "workItem",
            "outcome",
            "lockToken",
            "state",
            "ext");

    private final CosmosStore store;

    Contents(CosmosStore store) {
        this.store = store;
    }

    /** A line for each document of a partition, in order, with this in place of the run's own prefix. */
    List<String> of(String instance, String run) {
        return documents(instance)
                .map(Contents::line)
                .map(line -> line.replace(run, "#"))
                .sorted()
                .toList();
    }

    private static String line(ObjectNode document) {
        var said = SAID.stream()
                .filter(document::hasNonNull)
                .map(field -> field + "=" + withoutIds(text(document.get(field))))
                .collect(Collectors.joining(" "));
        return document.path("type").asText() + " " + said;
    }

    private static String text(JsonNode value) {
        return value.isContainerNode() ? value.toString() : value.asText();
    }

    /** Messages may come in any order, and take the next ids. */
    private static String withoutIds(String text) {
        return text.replaceAll("\"(event_id|source_event_id)\":\\d+,?", "");
    }

    /** The status of an instance; empty when there is none. */
    String status(String instance) {
        return documents(instance)
                .filter(document -> document.path("type").asText().equals("instance"))
                .map(document -> document.path("status").asText())
                .collect(Collectors.joining());
    }

    /** How many documents of a type an instance has. */
    long count(String instance, String type) {
        return documents(instance)
                .filter(document -> document.path("type").asText().equals(type))
                .count();
    }

    private Stream<ObjectNode> documents(String instance) {
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance));
        return Objects.requireNonNull(store.container()
                        .queryItems("SELECT * FROM c", options, ObjectNode.class)
                        .collectList()
                        .block())
                .stream();
    }
}
