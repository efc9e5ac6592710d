package io.sluice.provider.cosmos.turn.read;

import io.sluice.provider.KvEntry;
import io.sluice.provider.cosmos.search.HeapBytes;
import io.sluice.provider.document.KeyValueDeltaDocument;
import io.sluice.provider.document.KeyValueDocument;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An instance's key values in their two layers: what finished executions committed, and what the running one changed.
 *
 * @param fault why one that is stored can't be read, naming its key; it is in neither layer, so that no ack touches its
 *     document unless it sets the key anew. Null when all can be read
 */
public record KeyValues(
        Map<String, KeyValueDocument> committed,
        Map<String, KeyValueDeltaDocument> deltas,
        @Nullable String fault) {
    /** No keys. */
    public static final KeyValues NONE = new KeyValues(Map.of(), Map.of());

    public KeyValues {
        committed = Collections.unmodifiableMap(new LinkedHashMap<>(committed));
        deltas = Collections.unmodifiableMap(new LinkedHashMap<>(deltas));
    }

    /** All of which can be read. */
    public KeyValues(Map<String, KeyValueDocument> committed, Map<String, KeyValueDeltaDocument> deltas) {
        this(committed, deltas, null);
    }

    /** The same but for a document that can't be read; null for none. */
    KeyValues but(@Nullable String newFault) {
        return new KeyValues(committed, deltas, newFault);
    }

    /** Both layers from their documents. */
    public static KeyValues of(Collection<KeyValueDocument> committed, Collection<KeyValueDeltaDocument> deltas) {
        Map<String, KeyValueDocument> byKey = new LinkedHashMap<>();
        committed.forEach(document -> byKey.put(document.key(), document));
        Map<String, KeyValueDeltaDocument> changes = new LinkedHashMap<>();
        deltas.forEach(document -> changes.put(document.key(), document));
        return new KeyValues(byKey, changes);
    }

    /** What a fetched turn sees: committed values only. */
    public Map<String, KvEntry> snapshot() {
        Map<String, KvEntry> entries = new TreeMap<>();
        committed.forEach(
                (key, document) -> entries.put(key, new KvEntry(document.value(), document.lastUpdatedAtMillis())));
        return entries;
    }

    /** What a client sees: the running execution's changes over the committed values. */
    public Map<String, String> merged() {
        Map<String, String> values = new TreeMap<>();
        committed.forEach((key, document) -> values.put(key, document.value()));
        deltas.forEach((key, change) -> {
            String value = change.value();
            if (value == null) {
                values.remove(key);
            } else {
                values.put(key, value);
            }
        });
        return values;
    }

    /** Rough heap size, in bytes. */
    public long weight() {
        long characters = 0;
        for (KeyValueDocument document : committed.values()) {
            characters += document.value().length();
        }
        for (KeyValueDeltaDocument change : deltas.values()) {
            String value = change.value();
            characters += value == null ? 0 : value.length();
        }
        return HeapBytes.of(committed.size() + deltas.size(), characters);
    }
}
