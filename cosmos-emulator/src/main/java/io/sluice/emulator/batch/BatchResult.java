package io.sluice.emulator.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.throughput.RequestUnits;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What came of one operation of a batch.
 *
 * @param status as of a single request
 * @param subStatus 0 for none
 * @param requestCharge in request units
 * @param item read or written, null for none
 * @param isRead whether it was only read, so that the document is always returned
 */
public record BatchResult(
        int status,
        int subStatus,
        double requestCharge,
        @Nullable StoredItem item,
        boolean isRead) {
    private static final int CREATED = 201;
    private static final int FAILED_DEPENDENCY = 424;

    /** @param status 201 for a new item */
    static BatchResult written(int status, StoredItem item) {
        return new BatchResult(
                status,
                0,
                status == CREATED ? RequestUnits.insert(item.sizeBytes()) : RequestUnits.replace(item.sizeBytes()),
                item,
                false);
    }

    static BatchResult read(StoredItem item) {
        return new BatchResult(200, 0, RequestUnits.pointRead(item.sizeBytes()), item, true);
    }

    static BatchResult deleted(StoredItem item) {
        return new BatchResult(204, 0, RequestUnits.delete(item.sizeBytes()), null, false);
    }

    static BatchResult refused(StatusException refusal) {
        return new BatchResult(refusal.status(), refusal.subStatus(), RequestUnits.REFUSED_WRITE, null, false);
    }

    /** The operation was not tried, or was undone, because of another. */
    static BatchResult dependent() {
        return new BatchResult(FAILED_DEPENDENCY, 0, 0, null, false);
    }

    /** Whether it did not succeed. */
    public boolean isFailure() {
        return status >= 400;
    }

    /** Whether it has a document to return. */
    public boolean hasBody() {
        return item != null;
    }

    /**
     * How it travels.
     *
     * @param withBodies whether documents that were written are returned
     */
    public ObjectNode toJson(boolean withBodies) {
        var json = Json.object().put("statusCode", status);
        if (subStatus != 0) {
            json.put("subStatusCode", subStatus);
        }
        json.put("requestCharge", requestCharge);
        if (item != null) {
            json.put("eTag", item.etag());
            if (withBodies || isRead) {
                json.putRawValue("resourceBody", new RawValue(new String(item.json(), StandardCharsets.UTF_8)));
            }
        }
        return json;
    }
}
