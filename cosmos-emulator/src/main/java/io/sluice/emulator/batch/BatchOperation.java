package io.sluice.emulator.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.Precondition;
import io.sluice.emulator.store.WriteTransaction;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a batch.
 *
 * @param kind what it does
 * @param id of the item, empty when the document says it
 * @param precondition on the item
 * @param partitionKey of a bulk operation as JSON text; null in a transactional batch
 * @param body the document or patch, null for reads and deletions
 * @param prefersMinimal whether its result is to have no document
 */
public record BatchOperation(
        Kind kind,
        String id,
        Precondition precondition,
        @Nullable String partitionKey,
        @Nullable ObjectNode body,
        boolean prefersMinimal) {

    /** What an operation does. */
    enum Kind {
        CREATE,
        UPSERT,
        READ,
        REPLACE,
        DELETE,
        PATCH
    }

    /**
     * Reads one from a batch's body.
     *
     * @throws StatusException 400 when it is none
     */
    static BatchOperation parse(JsonNode json) {
        var kind = kind(json.path("operationType").asText());
        var body = json.get("resourceBody") instanceof ObjectNode object ? object : null;
        if (body == null && kind != Kind.READ && kind != Kind.DELETE) {
            throw StatusException.badRequest("A batch operation of type " + kind + " has no resourceBody.");
        }
        var id = json.path("id").asText("");
        if (id.isEmpty() && kind != Kind.CREATE && kind != Kind.UPSERT) {
            throw StatusException.badRequest("A batch operation of type " + kind + " has no id.");
        }
        var precondition = new Precondition(text(json, "ifMatch"), text(json, "ifNoneMatch"));
        var prefersMinimal = json.path("minimalReturnPreference").booleanValue();
        return new BatchOperation(kind, id, precondition, text(json, "partitionKey"), body, prefersMinimal);
    }

    /**
     * Does it.
     *
     * @throws StatusException when the service would refuse it
     */
    BatchResult apply(WriteTransaction transaction, PartitionKey key) {
        return switch (kind) {
            case CREATE -> BatchResult.written(201, transaction.create(key, document()));
            case UPSERT -> upsert(transaction, key);
            case READ -> BatchResult.read(transaction.read(key, id));
            case REPLACE -> BatchResult.written(200, transaction.replace(key, id, document(), precondition));
            case PATCH -> patch(transaction, key);
            case DELETE -> BatchResult.deleted(transaction.delete(key, id, precondition));
        };
    }

    private BatchResult upsert(WriteTransaction transaction, PartitionKey key) {
        var document = document();
        boolean existed = transaction.exists(key, document.path("id").asText());
        return BatchResult.written(existed ? 200 : 201, transaction.upsert(key, document, precondition));
    }

    private BatchResult patch(WriteTransaction transaction, PartitionKey key) {
        var patch = PatchRequest.parse(document());
        return BatchResult.written(200, transaction.edit(key, id, patch::apply, precondition));
    }

    private ObjectNode document() {
        if (body == null) {
            throw StatusException.badRequest("A batch operation of type " + kind + " has no resourceBody.");
        }
        return body;
    }

    private static Kind kind(String name) {
        for (var kind : Kind.values()) {
            if (kind.name().equals(name.toUpperCase(Locale.ROOT))) {
                return kind;
            }
        }
        throw StatusException.badRequest("The batch operation type '" + name + "' is not known.");
    }

    private static @Nullable String text(JsonNode json, String name) {
        var value = json.path(name).asText("");
        return value.isEmpty() ? null : value;
    }
}
