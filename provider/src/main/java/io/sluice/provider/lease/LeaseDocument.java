package io.sluice.provider.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A document that can be leased. Its type and its partitions are used by nothing else, so no query of the contract
 * finds it.
 *
 * @param partition value of the partition key
 * @param since when it came into its state; the indexed {@code enqueuedAt}
 * @param lease null when no party holds it
 */
record LeaseDocument(
        String id,
        String partition,
        String state,
        String content,
        long since,
        @Nullable Lease lease) {
    static final String LEASE = "lease";
    static final String CONTENT = "content";
    static final String STATE = Fields.STATUS;
    static final String SINCE = Fields.ENQUEUED_AT;

    private static final int SCHEMA_VERSION = 1;
    private static final String HOLDER = "holder";
    private static final String ACQUIRED_AT = "acquiredAt";
    private static final String DURATION = "durationMillis";

    /** The partition of a collection. */
    static String partition(String operation, String collection) {
        String partition = DocumentIds.LEASES + collection;
        DocumentIds.checkPartition(operation, partition);
        return partition;
    }

    static LeaseDocument fromJson(JsonNode json) {
        return new LeaseDocument(
                DocumentJson.id(json),
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, STATE),
                DocumentJson.text(json, CONTENT),
                DocumentJson.number(json, SINCE),
                lease(json));
    }

    /**
     * The document with its version.
     *
     * @throws MalformedDocumentException when it can't be read
     */
    static Stored<LeaseDocument> stored(ObjectNode row) {
        return new Stored<>(fromJson(row), DocumentJson.etag(row));
    }

    /** The same for what is about this document alone. */
    static Stored<LeaseDocument> stored(Call call, ObjectNode row) {
        try {
            return stored(row);
        } catch (MalformedDocumentException e) {
            throw Failures.corrupt(call, e);
        }
    }

    private static @Nullable Lease lease(JsonNode document) {
        if (!(document.path(LEASE) instanceof ObjectNode fields)) {
            return null;
        }
        // Under the document's name, for what is said of a field that can't be read.
        ObjectNode lease = fields.deepCopy();
        lease.set(Fields.ID, document.path(Fields.ID));
        lease.set(Fields.INSTANCE_ID, document.path(Fields.INSTANCE_ID));
        return new Lease(
                DocumentJson.text(lease, HOLDER),
                DocumentJson.number(lease, ACQUIRED_AT),
                Duration.ofMillis(DocumentJson.number(lease, DURATION)));
    }

    ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(id, partition, DocumentType.LEASE)
                .put("schemaVersion", SCHEMA_VERSION)
                .put(STATE, state)
                .put(CONTENT, content)
                .put(SINCE, since);
        if (lease == null) {
            json.putNull(LEASE);
        } else {
            json.set(LEASE, json(lease));
        }
        return json;
    }

    /** A change of the lease alone; null ends it. */
    static FieldPatch leasing(@Nullable Lease lease) {
        return FieldPatch.set(LEASE, lease == null ? null : json(lease));
    }

    /** The write that leases a document, unless it has changed since it was read. */
    static BatchWrite acquisition(Stored<LeaseDocument> stored, Lease lease) {
        return new BatchWrite.PatchFields(stored.document().id(), leasing(lease), stored.etag());
    }

    /** The document under a lease, for its holder. */
    LeasedItem toItem(Lease held, String etag) {
        return new LeasedItem(id, state, content, held, etag);
    }

    private static ObjectNode json(Lease lease) {
        return DocumentJson.object()
                .put(HOLDER, lease.holder())
                .put(ACQUIRED_AT, lease.acquiredAtMillis())
                .put(DURATION, lease.duration().toMillis());
    }
}
