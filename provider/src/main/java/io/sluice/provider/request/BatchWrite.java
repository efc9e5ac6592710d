package io.sluice.provider.request;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchPatchItemRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One operation of a transactional batch. */
public sealed interface BatchWrite {
    /** What a batch may hold at most, in operations. */
    int MAX_OPERATIONS = 100;
    /** What we put into a batch at most, in bytes: room below the service's 2 MB for headers and low estimates. */
    int MAX_BYTES = 1_800_000;

    /** Cuts what is to be written into parts that a batch may hold, in order; each can be changed. */
    static <T> List<List<T>> portions(List<? extends T> all) {
        List<List<T>> portions = new ArrayList<>();
        for (int from = 0; from < all.size(); from += MAX_OPERATIONS) {
            portions.add(new ArrayList<>(all.subList(from, Math.min(all.size(), from + MAX_OPERATIONS))));
        }
        return portions;
    }

    /** Id of the document it touches. */
    String id();

    /** Its part in the request, in bytes, a little on the high side. */
    int sizeBytes();

    /** No less than {@link #sizeBytes()}, found without writing a document. */
    default long boundBytes() {
        return sizeBytes();
    }

    /** Adds itself to the SDK's batch. */
    void addTo(CosmosBatch batch);

    /** Sends a document as a whole. */
    sealed interface WholeDocument extends BatchWrite {
        /** What is sent. */
        ObjectNode document();

        @Override
        default String id() {
            return DocumentJson.id(document());
        }

        @Override
        default int sizeBytes() {
            return ENVELOPE_BYTES + DocumentJson.sizeBytes(document());
        }

        @Override
        default long boundBytes() {
            return ENVELOPE_BYTES + DocumentJson.boundBytes(document());
        }
    }

    /** Fails with a conflict when the id exists. */
    record Create(ObjectNode document) implements WholeDocument {
        @Override
        public void addTo(CosmosBatch batch) {
            batch.createItemOperation(document);
        }
    }

    /** Writes whether the id exists or not. */
    record Upsert(ObjectNode document) implements WholeDocument {
        @Override
        public void addTo(CosmosBatch batch) {
            batch.upsertItemOperation(document);
        }
    }

    /** Replaces the version named by {@code ifMatch}, and no other. */
    record Replace(ObjectNode document, String ifMatch) implements WholeDocument {
        @Override
        public void addTo(CosmosBatch batch) {
            batch.replaceItemOperation(id(), document, new CosmosBatchItemRequestOptions().setIfMatchETag(ifMatch));
        }
    }

    /** Deletes; a missing document is "not found". A null {@code ifMatch} deletes any version. */
    record Delete(String id, @Nullable String ifMatch) implements BatchWrite {
        @Override
        public int sizeBytes() {
            return ENVELOPE_BYTES + id.length();
        }

        @Override
        public void addTo(CosmosBatch batch) {
            if (ifMatch == null) {
                batch.deleteItemOperation(id);
            } else {
                batch.deleteItemOperation(id, new CosmosBatchItemRequestOptions().setIfMatchETag(ifMatch));
            }
        }
    }

    /** Changes nothing: the committed batch returns the document as the operations before left it. */
    record Return(String id) implements BatchWrite {
        @Override
        public int sizeBytes() {
            return ENVELOPE_BYTES + id.length();
        }

        @Override
        public void addTo(CosmosBatch batch) {
            batch.readItemOperation(id);
        }
    }

    /**
     * Changes some fields.
     *
     * @param ifMatch null patches any version
     * @param condition what the document must satisfy, as {@code FROM c WHERE …}; not satisfied counts as another
     *     version being there
     */
    record PatchFields(
            String id,
            FieldPatch fields,
            @Nullable String ifMatch,
            @Nullable String condition) implements BatchWrite {
        /** A patch without further condition. */
        public PatchFields(String id, FieldPatch fields, @Nullable String ifMatch) {
            this(id, fields, ifMatch, null);
        }

        @Override
        public int sizeBytes() {
            return ENVELOPE_BYTES + id.length() + fields.sizeBytes() + (condition == null ? 0 : condition.length());
        }

        @Override
        public void addTo(CosmosBatch batch) {
            var options = new CosmosBatchPatchItemRequestOptions();
            if (ifMatch != null) {
                options.setIfMatchETag(ifMatch);
            }
            if (condition != null) {
                options.setFilterPredicate(condition);
            }
            batch.patchItemOperation(id, fields.operations(), options);
        }
    }

    /** Operation type, partition key, etag and the JSON around them. */
    int ENVELOPE_BYTES = 256;
}
