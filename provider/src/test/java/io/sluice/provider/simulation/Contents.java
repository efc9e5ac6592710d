package io.sluice.provider.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.store.item.LoggedChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What lies in the store, kept up by its log. */
final class Contents {
    private final Map<String, Map<String, JsonNode>> partitions = new TreeMap<>();

    /** Takes over what a transaction did; each of its documents once. */
    List<Change> apply(List<LoggedChange> transaction) {
        var changes = new ArrayList<Change>();
        for (var logged : transaction) {
            ObjectNode document = logged.item().document();
            var instance = document.path("instanceId").asText();
            var id = logged.item().id();
            var partition = partitions.computeIfAbsent(instance, unused -> new TreeMap<>());
            var after = logged.kind().isRemoval() ? null : document;
            var before = after == null ? partition.remove(id) : partition.put(id, after);
            changes.add(new Change(instance, id, before, after));
        }
        return changes;
    }

    @Nullable
    JsonNode find(String instance, String id) {
        return partitions.getOrDefault(instance, Map.of()).get(id);
    }

    /** The documents of a type in an instance's partition, by id. */
    Stream<JsonNode> of(String instance, String type) {
        return partitions.getOrDefault(instance, Map.of()).values().stream()
                .filter(document -> document.path("type").asText().equals(type));
    }

    /** All documents of a type. */
    Stream<JsonNode> all(String type) {
        return partitions.keySet().stream().flatMap(instance -> of(instance, type));
    }

    /** The head of an instance; null when there is none. */
    @Nullable
    JsonNode head(String instance) {
        return of(instance, "instance").findFirst().orElse(null);
    }

    /** Whether a turn of several batches is under way there. */
    boolean isStaged(String instance) {
        return of(instance, "staged").anyMatch(Contents::isCommit);
    }

    static boolean isCommit(JsonNode staged) {
        return staged.path("kind").asText().equals("commit");
    }
}
