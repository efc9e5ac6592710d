package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.store.item.LoggedChange;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.key.PartitionKeyDefinition;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Entries of the change feed in their envelopes. */
final class ChangeFeedJson {
    private static final String NO_CURRENT = "\"current\":{},";

    private ChangeFeedJson() {}

    /** A latest version: {@code current} and {@code metadata}. */
    static byte[] latest(StoredItem item) {
        var metadata = Json.object().put("lsn", item.lsn()).put("crts", item.timestampSeconds());
        return envelope("\"current\"", item.jsonWithLsn(), metadata);
    }

    /**
     * A change: {@code metadata} and {@code current}, which is empty for a removal; a removal has {@code previous}, and
     * its metadata the id and the partition key too. As on the service, a replacement has no previous image.
     */
    static byte[] change(LoggedChange change, PartitionKeyDefinition partitionKey) {
        var metadata = Json.object().put("lsn", change.lsn()).put("crts", change.timestampSeconds());
        metadata.put("operationType", change.kind().wireName());
        if (change.previousLsn() > 0) {
            metadata.put("previousImageLSN", change.previousLsn());
        }
        if (!change.kind().isRemoval()) {
            return envelope("\"current\"", change.item().jsonWithLsn(), metadata);
        }
        if (change.kind() == LoggedChange.Kind.EXPIRE) {
            metadata.put("timeToLiveExpired", true);
        }
        metadata.put("id", change.item().id());
        metadata.set("partitionKey", keyOf(change.item(), partitionKey));
        return envelope(NO_CURRENT + "\"previous\"", change.item().jsonWithLsn(), metadata);
    }

    private static ObjectNode keyOf(StoredItem item, PartitionKeyDefinition partitionKey) {
        var values = partitionKey.keyOf(item.document()).components();
        var key = Json.object();
        for (int i = 0; i < values.size(); i++) {
            JsonNode value = values.get(i);
            if (!value.isMissingNode()) {
                key.set(String.join("/", partitionKey.paths().get(i)), value);
            }
        }
        return key;
    }

    /** @param beginning all up to the colon before the document */
    private static byte[] envelope(String beginning, byte[] document, ObjectNode metadata) {
        var out = new ByteArrayOutputStream(document.length + 200);
        out.writeBytes(("{" + beginning + ":").getBytes(StandardCharsets.UTF_8));
        out.writeBytes(document);
        out.writeBytes(",\"metadata\":".getBytes(StandardCharsets.UTF_8));
        out.writeBytes(Json.bytes(metadata));
        out.write('}');
        return out.toByteArray();
    }
}
