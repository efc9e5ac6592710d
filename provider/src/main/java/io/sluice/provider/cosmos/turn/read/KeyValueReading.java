package io.sluice.provider.cosmos.turn.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.search.QueryBytes;
import io.sluice.provider.cosmos.staged.WholeReads;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.request.SqlQuery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads key values, all or one. Where they took several pages while the instance moved, their versions are asked for,
 * which one page shows of one moment, and then the values whose versions are others than those at hand.
 */
final class KeyValueReading implements WholeReads.Reading {
    private static final String ALL = "c.type IN ('kv', 'kv_delta')";
    private static final String ONE = "(c.id = @change OR c.id = @committed)";
    private static final String WHOLE = "SELECT * FROM c WHERE %s OR " + WholeReads.CONDITION;
    private static final String VERSIONS = "SELECT VALUE (" + ALL
            + " ? {id: c.id, type: c.type, _etag: c._etag} : c) FROM c WHERE %s OR " + WholeReads.CONDITION;
    private static final String CHANGED = "SELECT * FROM c WHERE c.id IN (@ids)";

    private final String instanceId;
    private final @Nullable String key;

    /** What has been read, by the documents' ids. */
    private final Map<String, ObjectNode> read = new HashMap<>();

    /** The rows of one moment, of key values without the values; null while none are known. */
    private @Nullable List<ObjectNode> moment;

    /** Ids of the values that were not read in the version that the moment shows. */
    private List<String> missing = List.of();

    private boolean isBegun;
    private List<ObjectNode> answer = List.of();

    private KeyValueReading(String instanceId, @Nullable String key) {
        this.instanceId = instanceId;
        this.key = key;
    }

    static KeyValueReading ofAll(String instanceId) {
        return new KeyValueReading(instanceId, null);
    }

    static KeyValueReading ofOne(String instanceId, String key) {
        return new KeyValueReading(instanceId, key);
    }

    @Override
    public SqlQuery next() {
        if (moment != null) {
            return SqlQuery.of(CHANGED).withEach("@ids", QueryBytes.fitting(missing));
        }
        String text = isBegun ? VERSIONS : WHOLE;
        return key == null
                ? SqlQuery.of(String.format(text, ALL))
                : SqlQuery.of(String.format(text, ONE))
                        .with("@change", DocumentIds.keyValueDelta(instanceId, key))
                        .with("@committed", DocumentIds.keyValue(instanceId, key));
    }

    @Override
    public WholeReads.Progress take(List<ObjectNode> rows, boolean isOfOneMoment) {
        if (!isBegun) {
            isBegun = true;
            rows.forEach(this::keep);
            answer = rows;
            return isOfOneMoment ? WholeReads.Progress.DONE : WholeReads.Progress.FURTHER;
        }
        if (moment != null) {
            rows.forEach(this::keep);
            return judge(moment, missing.size());
        }
        if (!isOfOneMoment) {
            return WholeReads.Progress.NONE;
        }
        moment = rows;
        return judge(rows, Integer.MAX_VALUE);
    }

    private WholeReads.Progress judge(List<ObjectNode> versions, int missingBefore) {
        missing = missing(versions);
        if (missing.isEmpty()) {
            answer = versions.stream().map(this::known).toList();
            return WholeReads.Progress.DONE;
        }
        if (missing.size() < missingBefore) {
            return WholeReads.Progress.FURTHER;
        }
        // They have changed again, or are gone.
        moment = null;
        return WholeReads.Progress.NONE;
    }

    private ObjectNode known(ObjectNode version) {
        return isValue(version) ? read.getOrDefault(DocumentJson.id(version), version) : version;
    }

    private List<String> missing(List<ObjectNode> versions) {
        return versions.stream()
                .filter(version -> isValue(version) && !isRead(version))
                .map(DocumentJson::id)
                .toList();
    }

    private boolean isRead(ObjectNode version) {
        ObjectNode document = read.get(DocumentJson.id(version));
        return document != null && DocumentJson.etag(document).equals(DocumentJson.etag(version));
    }

    private static boolean isValue(ObjectNode row) {
        return DocumentJson.isType(row, DocumentType.KEY_VALUE)
                || DocumentJson.isType(row, DocumentType.KEY_VALUE_DELTA);
    }

    private void keep(ObjectNode row) {
        read.put(DocumentJson.id(row), row);
    }

    @Override
    public List<ObjectNode> answer() {
        return answer;
    }
}
