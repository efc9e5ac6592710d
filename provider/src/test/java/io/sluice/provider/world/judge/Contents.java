package io.sluice.provider.world.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.store.item.LoggedChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What lies in the store, kept up by its log. */
public final class Contents {
    private static final List<String> SAID = List.of(
            "type",
            "instanceId",
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
    /** Messages may come in any order, at any time, and take the next ids. */
    private static final Pattern PASSING =
            Pattern.compile("\"(event_id|source_event_id|timestamp_ms|fire_at_ms|last_updated_at_ms)\":\\d+,?");

    /** By instance, type and id. */
    private final Map<String, Map<String, Map<String, JsonNode>>> partitions = new TreeMap<>();

    /** Takes over what a transaction did; each of its documents once. */
    public List<Change> apply(List<LoggedChange> transaction) {
        var changes = new ArrayList<Change>();
        for (var logged : transaction) {
            ObjectNode document = logged.item().document();
            var instance = document.path("instanceId").asText();
            var id = logged.item().id();
            var ofType = partitions
                    .computeIfAbsent(instance, unused -> new HashMap<>())
                    .computeIfAbsent(document.path("type").asText(), unused -> new TreeMap<>());
            var after = logged.kind().isRemoval() ? null : document;
            var before = after == null ? ofType.remove(id) : ofType.put(id, after);
            changes.add(new Change(instance, id, before, after));
        }
        return changes;
    }

    /** What all documents say but for ids, times and owners, which differ from one run to the next, in order. */
    public List<String> lines() {
        return partitions.values().stream()
                .flatMap(partition -> partition.values().stream())
                .flatMap(ofType -> ofType.values().stream())
                .map(Contents::line)
                .sorted()
                .toList();
    }

    private static String line(JsonNode document) {
        return SAID.stream()
                .filter(document::hasNonNull)
                .map(field ->
                        field + "=" + PASSING.matcher(text(document.get(field))).replaceAll(""))
                .collect(Collectors.joining(" "));
    }

    private static String text(JsonNode value) {
        return value.isContainerNode() ? value.toString() : value.asText();
    }

    /** The documents of a type in an instance's partition, by id. */
    public Stream<JsonNode> of(String instance, String type) {
        return of(partitions.getOrDefault(instance, Map.of()), type);
    }

    /** All documents of a type. */
    public Stream<JsonNode> all(String type) {
        return partitions.values().stream().flatMap(partition -> of(partition, type));
    }

    private static Stream<JsonNode> of(Map<String, Map<String, JsonNode>> partition, String type) {
        return partition.getOrDefault(type, Map.of()).values().stream();
    }

    /** The head of an instance; null when there is none. */
    @Nullable
    public JsonNode head(String instance) {
        return of(instance, "instance").findFirst().orElse(null);
    }

    /** Whether a turn of several batches is under way there. */
    public boolean isStaged(String instance) {
        return of(instance, "staged").anyMatch(Contents::isCommit);
    }

    public static boolean isCommit(JsonNode staged) {
        return staged.path("kind").asText().equals("commit");
    }
}
