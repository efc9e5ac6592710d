package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.KeyValueDeltaDocument;
import io.sluice.provider.document.KeyValueDocument;
import io.sluice.provider.document.UnknownFields;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.request.BatchWrite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a turn's events do to the key values. Pure. */
record KeyValuePlan(List<BatchWrite> writes, KeyValues after) {
    /**
     * The plan for a turn's events.
     *
     * @param terminal whether the execution ends with this turn: its changes are then committed and the delta layer is
     *     emptied
     */
    static KeyValuePlan of(
            String instanceId,
            KeyValues before,
            List<HistoryEvent> events,
            long executionId,
            boolean terminal,
            long now) {
        Map<String, KeyValueDeltaDocument> touched = touched(instanceId, before, events, executionId, now);
        return terminal ? committing(instanceId, before, touched, executionId) : keeping(before, touched);
    }

    private static Map<String, KeyValueDeltaDocument> touched(
            String instanceId, KeyValues before, List<HistoryEvent> events, long executionId, long now) {
        Map<String, KeyValueDeltaDocument> touched = new LinkedHashMap<>();
        for (HistoryEvent event : events) {
            if (event.kind() instanceof EventKind.KeyValueSet set) {
                String key = set.key();
                touched.put(key, change(instanceId, before, key, set.value(), executionId, set.lastUpdatedAtMillis()));
            } else if (event.kind() instanceof EventKind.KeyValueCleared cleared) {
                touched.put(cleared.key(), change(instanceId, before, cleared.key(), null, executionId, now));
            } else if (event.kind() instanceof EventKind.KeyValuesCleared) {
                List<String> all = new ArrayList<>(before.committed().keySet());
                all.addAll(before.deltas().keySet());
                all.addAll(touched.keySet());
                all.forEach(key -> touched.put(key, change(instanceId, before, key, null, executionId, now)));
            }
        }
        return touched;
    }

    private static KeyValueDeltaDocument change(
            String instanceId, KeyValues before, String key, @Nullable String value, long executionId, long at) {
        KeyValueDeltaDocument existing = before.deltas().get(key);
        String id = existing == null ? newId(instanceId, key) : existing.id();
        UnknownFields unknown = existing == null ? UnknownFields.NONE : existing.unknown();
        return new KeyValueDeltaDocument(id, instanceId, key, value, executionId, at, unknown);
    }

    private static String newId(String instanceId, String key) {
        String id = DocumentIds.keyValueDelta(instanceId, key);
        DocumentIds.checkDocumentId(TurnPlan.OPERATION, "instance '" + instanceId + "': key", id);
        return id;
    }

    private static KeyValuePlan keeping(KeyValues before, Map<String, KeyValueDeltaDocument> touched) {
        List<BatchWrite> writes = new ArrayList<>();
        touched.values().forEach(change -> writes.add(new BatchWrite.Upsert(change.toJson())));
        Map<String, KeyValueDeltaDocument> deltas = new LinkedHashMap<>(before.deltas());
        deltas.putAll(touched);
        return new KeyValuePlan(writes, new KeyValues(before.committed(), deltas, before.fault()));
    }

    private static KeyValuePlan committing(
            String instanceId, KeyValues before, Map<String, KeyValueDeltaDocument> touched, long executionId) {
        List<BatchWrite> writes = new ArrayList<>();
        Map<String, KeyValueDocument> committed = new LinkedHashMap<>(before.committed());
        Map<String, KeyValueDeltaDocument> all = new LinkedHashMap<>(before.deltas());
        all.putAll(touched);
        for (KeyValueDeltaDocument change : all.values()) {
            KeyValueDocument existing = committed.get(change.key());
            String value = change.value();
            if (value != null) {
                String id = existing == null ? DocumentIds.keyValue(instanceId, change.key()) : existing.id();
                KeyValueDocument document = new KeyValueDocument(
                        id,
                        instanceId,
                        change.key(),
                        value,
                        executionId,
                        change.lastUpdatedAtMillis(),
                        existing == null ? change.unknown() : change.unknown().over(existing.unknown()));
                committed.put(change.key(), document);
                writes.add(new BatchWrite.Upsert(document.toJson()));
            } else if (existing != null) {
                committed.remove(change.key());
                writes.add(new BatchWrite.Delete(existing.id(), null));
            }
        }
        before.deltas().values().forEach(delta -> writes.add(new BatchWrite.Delete(delta.id(), null)));
        return new KeyValuePlan(writes, new KeyValues(committed, Map.of(), before.fault()));
    }
}
